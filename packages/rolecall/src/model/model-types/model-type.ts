import type { Format } from '@rolecall/core/internal/format'
import type * as z from 'zod/mini'
import type { BatchJournal } from '../batch/batch-journal.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import type { SharedPace } from '../openai/http/pace.ts'
import type { Wait } from '../openai/http/wait.ts'
import type { OpenAIHost } from '../openai/open-openai.ts'
import type { ModelSettings } from './model-settings.ts'

/**
 * Everything specific to one type of model. To add a type, write an entry in a file of this folder, and add it to
 * `modelTypes` in `index.ts`: the schema, `--model`, the commands and the viewer then know it.
 */
export type ModelType<Fields extends z.core.$ZodShape = z.core.$ZodShape> = {
  /** The `type` of its configs. */
  name: string
  /** Classes of OpenCompass that mean the same, with or without their module. */
  classes?: readonly string[]
  /** The settings of this type, in addition to `modelFields`. */
  fields: Fields
  /** How `--model` names one: by its name alone, or as `name:…`. */
  flag: { usage: string; read(given: string, context: { hasFormat: boolean; host: ModelHost }): ModelSettings }
  /** Its API takes messages only: it neither completes nor scores text. */
  takesMessages?: { api: string }
  /** It decodes greedily if no temperature is set. */
  isGreedy?: true
  /** It ships with Rolecall: one instance per process, which also runs in pages and can answer the demonstrations. */
  isShipped?: true
  /** What the config lacks for the model to run. */
  lacks?(config: ModelSettings): string[]
  /** The config completed from the model's files, with paths that do not depend on the config's folder. */
  complete?(config: SettingsOf<Fields>, host: ModelHost): ModelSettings
  /** The file or folder of its tokenizer, if that is not `tokenizer_path`. */
  tokenizer?(config: SettingsOf<Fields>): string | typeof shippedTokenizer | undefined
  /** Distinguishes models with the same config. */
  identity(config: SettingsOf<Fields>, host: ModelHost): string
  /** The server that runs it, if it is not this machine: models on different servers do not slow each other down. */
  server?(config: SettingsOf<Fields>, host: ModelHost): string | undefined
  open(config: SettingsOf<Fields>, options: OpenOptions): Promise<LanguageModel>
}

/** The settings of every model, and those of one type. */
export type SettingsOf<Fields extends z.core.$ZodShape> = ModelSettings & z.input<z.ZodMiniObject<Fields>>

/** In place of a path: the tokenizer of the embedded model. */
export const shippedTokenizer = Symbol('the shipped tokenizer')

export type OpenOptions = {
  host: ModelHost
  format: Pick<Format, 'markers' | 'tokens'>
  /** Number of concurrent requests, instead of the model's own. */
  workers?: number
  /** Many independent requests follow, such as the rows of a run: a model that runs here may use several threads. */
  isBatch?: true
  /** Called when a request has to wait. */
  onWait?: (wait: Wait) => void
  /** Shares the rate limit of an endpoint with other processes. */
  sharedPace?: (endpoint: string) => SharedPace
  /** Where a model in batches keeps what it has submitted; otherwise only this process knows. */
  batchJournal?: ((model: string) => BatchJournal) | undefined
}

/** What a model type needs from the host: files, an environment, a network, and models that only a host can open. */
export type ModelHost = OpenAIHost & {
  /** Resolves a path of the config, independent of the working directory. */
  resolve(path: string): string
  exists(path: string): boolean
  /** Changes when a file or folder changes; empty if it does not exist. */
  fileMark(path: string): string
  /** The chat template that a model's file carries, with the tokens it needs. */
  chatTemplateIn(path: string): { template?: string; specialTokens: Readonly<Record<string, string>> }
  openShipped(options: Partial<Pick<OpenOptions, 'format' | 'workers' | 'isBatch'>> & { name?: string }): Promise<LanguageModel>
  shippedIdentity(): string
  openGguf(config: ModelSettings, format: OpenOptions['format']): Promise<LanguageModel>
}

/** The identity of a model that consists of files, by their size and date. */
export function fileIdentity({ path, tokenizer_path: tokenizer }: ModelSettings, host: ModelHost, server = ''): string {
  return [server, ...[path, tokenizer].map((one) => (one === undefined ? '' : host.fileMark(host.resolve(one))))].join(' ')
}
