import type * as z from 'zod/mini'
import type { BatchApi } from '../batch/batch-api.ts'
import type { connectOpenAI } from '../openai/open-openai.ts'
import type { serverFields } from '../openai/openai-fields.ts'
import type { WireApi } from '../openai/wire-api.ts'
import type { ModelSettings } from './model-settings.ts'
import { fileIdentity, type ModelType } from './model-type.ts'

type ServerType<Fields extends z.core.$ZodShape> = Pick<ModelType<Fields>, 'name' | 'classes' | 'fields' | 'lacks' | 'takesMessages'> & {
  /** The environment variable of its address. */
  urlVariable: string
  /** Settings of `--model` where a format writes the prompts; without one, messages are sent. */
  withFormat?: ModelSettings
  /** Its API; OpenAI's by default. */
  api?: () => Promise<WireApi>
  /** Its batch endpoint, if it has one. */
  batches?: () => Promise<BatchApi>
}

// Imported once: jiti gives a second import of a module that is still being evaluated its unfinished exports, and a model and its judge
// are opened at the same time.
let connector: Promise<{ connectOpenAI: typeof connectOpenAI }> | undefined

/** A type of models on servers. */
export function serverType<Fields extends typeof serverFields>({
  urlVariable,
  withFormat = {},
  api,
  batches,
  ...type
}: ServerType<Fields>): ModelType<Fields> {
  return {
    ...type,
    flag: {
      usage: `${type.name}:NAME@URL`,
      read(given, { hasFormat }) {
        const [, name, url] = /^(.+)@(https?:\/\/.+)$/s.exec(given) ?? [undefined, given, undefined]
        const whole = hasFormat ? withFormat : { format: 'messages' as const }
        return { abbr: name, path: name, ...(url === undefined ? {} : { base_url: url }), ...whole }
      },
    },
    identity(config, host) {
      const { base_url: url, openai_api_base: foreign } = config as ServerSettings
      return fileIdentity(config, host, (url ?? foreign ?? undefined) !== undefined ? '' : (host.environment[urlVariable] ?? ''))
    },
    server(config, { environment }) {
      const { base_url: url, openai_api_base: foreign, batch } = config as ServerSettings
      const given = url ?? [foreign].flat()[0] ?? environment[urlVariable]
      // Batches of several models are answered at the same time.
      if (batch) return `the batches of ${type.name}:${config.path}`
      return given && URL.canParse(given) ? new URL(given).origin : `the default of ${type.name}`
    },
    async open(config, { host, ...options }) {
      connector ??= import('../openai/open-openai.ts')
      const { connectOpenAI: connect } = await connector
      if ((config as ServerSettings).batch && batches) {
        const [{ connectBatch }, { openaiApi }] = [await import('../batch/connect-batch.ts'), await import('../openai/openai-api.ts')]
        const { batchJournal, ...others } = options
        const { base_url: url, openai_api_base: foreign } = config as ServerSettings
        const given = url ?? [foreign].flat()[0] ?? host.environment[urlVariable] ?? ''
        // Without a password in the address: the name becomes that of a file.
        const { origin, pathname } = URL.canParse(given) ? new URL(given) : { origin: '', pathname: '' }
        const journal = batchJournal?.(`${type.name}:${config.path}:${config.abbr ?? ''}@${origin}${pathname}`)
        return connectBatch((await api?.()) ?? openaiApi, await batches(), config as ServerSettings, host, { ...others, journal })
      }
      return connect(config as ServerSettings, host, options, await api?.())
    },
  }
}

type ServerSettings = ModelSettings & { batch?: boolean; base_url?: string; openai_api_base?: string | string[] | null }
