import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelHost } from '../../model/model-types/model-type.ts'
import { loadChatTemplate } from './load-chat-template.ts'
import { embeddedWeights, loadEmbedded } from './load-embedded.ts'
import { tokenizerOf } from './load-tokenizer.ts'
import { nodeClient } from './node-client.ts'
import { nodeSha256 } from './node-sha256.ts'

let shipped: string | undefined

/** The Node services that model types use; config paths are relative to the folder. */
export function modelHost(folder: string): ModelHost {
  return {
    environment: process.env,
    resolve: (path) => resolve(folder, path),
    exists: existsSync,
    fileMark(path) {
      const found = statSync(path, { throwIfNoEntry: false })
      return found ? `${found.size}@${found.mtimeMs}` : ''
    },
    chatTemplateIn(path) {
      const { templates, specialTokens } = loadChatTemplate(path)
      return { specialTokens, template: templates.default }
    },
    tokenizerOf: (config) => tokenizerOf(config, folder),
    readMedia: async (url, namedBy) => (await import('../rows/media-store.ts')).readMedia(url, namedBy),
    connect: (connections) => nodeClient({ connections, environment: process.env }),
    openShipped: async ({ isBatch, workers, ...options }) =>
      isBatch ? (await import('./embedded-threads.ts')).loadEmbeddedThreads({ workers, ...options }) : loadEmbedded(options),
    shippedIdentity() {
      shipped ??= nodeSha256(readFileSync(embeddedWeights))
      return shipped
    },
    openGguf: async (config, format) => (await import('./gguf/load-gguf.ts')).loadGguf(config, format, { folder }),
  }
}
