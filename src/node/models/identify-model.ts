import * as crypto from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelConfig } from '../../config/config-schema.ts'
import { embeddedWeights } from './load-embedded.ts'

/** SHA-256 in hexadecimal. */
export const sha256: (text: string | Uint8Array) => string =
  // Making no object for each hash halves its cost; Node 20.12 and later have it.
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text)
    : (text) => crypto.createHash('sha256').update(text).digest('hex')

let embedded: string | undefined

/**
 * What tells models apart whose config is the same: the files that it names by their size and date, the embedded model by its
 * weights, a server by the environment's address where the config has none.
 */
export function identify(config: ModelConfig, folder: string): string {
  if (config.type === 'embedded') {
    embedded ??= sha256(readFileSync(embeddedWeights))
    return embedded
  }
  const { base_url: given = config.openai_api_base } = config
  const server = given === undefined || given === null ? (process.env.OPENAI_BASE_URL ?? '') : ''
  return [server, ...[config.path, config.tokenizer_path].map((path) => (path === undefined ? '' : fileMark(resolve(folder, path))))].join(
    ' ',
  )
}

function fileMark(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.size}@${found.mtimeMs}` : ''
}
