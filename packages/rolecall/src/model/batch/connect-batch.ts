import { cannotScoreBatches } from '../language-model/cannot-score.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import { Server } from '../openai/http/model-server.ts'
import { systemClock } from '../openai/http/wait.ts'
import type { OpenAIHost, OpenAIOptions } from '../openai/open-openai.ts'
import type { OpenAIConfig } from '../openai/openai-fields.ts'
import { readSettings } from '../openai/openai-settings.ts'
import { serverModel } from '../openai/server-model.ts'
import type { WireApi } from '../openai/wire-api.ts'
import type { BatchApi } from './batch-api.ts'
import { BatchClient } from './batch-client.ts'
import { type BatchJournal, memoryJournal } from './batch-journal.ts'

/** The most requests of a batch, where `concurrency` does not say. */
const usual = 10_000

/** Requests about batches that fail are retried this long, in milliseconds: a batch takes hours. */
const longestDown = 15 * 60_000

export type BatchOptions = Pick<OpenAIOptions, 'format' | 'workers' | 'onWait' | 'clock' | 'random'> & {
  journal?: BatchJournal | undefined
}

/** A model whose requests go through the batch endpoint of its service, at half the price. */
export function connectBatch(
  api: WireApi,
  batches: BatchApi,
  config: OpenAIConfig,
  host: OpenAIHost,
  { workers, clock = systemClock, random = Math.random, onWait, format, journal = memoryJournal() }: BatchOptions = {},
): LanguageModel {
  const read = readSettings(config, host.environment, api)
  const most = workers ?? config.concurrency ?? Math.min(usual, batches.most.requests)
  const settings = { ...read, stream: false, concurrency: most, requestsPerMinute: undefined }
  const { client: direct, close } = host.connect(4)
  const control = new Server({
    ...settings,
    concurrency: 4,
    longestDown: Math.max(longestDown, settings.longestDown),
    client: direct,
    headers: { 'content-type': 'application/json', ...api.headers(settings.key), ...settings.headers },
    name: {
      where: settings.name,
      shown: settings.baseUrl,
      model: settings.model,
      keyName: settings.keyName,
      hasKey: settings.key !== undefined,
      secrets: settings.secrets,
    },
    clock,
    random,
    onWait,
  })
  const batching = new BatchClient({ api: batches, control, direct, journal, most, clock, random, onWait, hash: sha256 })
  const model = serverModel({
    api,
    settings,
    client: batching.send,
    tokenizer: host.tokenizerOf(config),
    format,
    clock,
    random,
    onWait,
    readMedia: host.readMedia,
    async close() {
      batching.close()
      control.close()
      await close()
    },
  })
  return { ...model, collects: true, score: () => Promise.reject(cannotScoreBatches(settings.name, batches.title)) }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
