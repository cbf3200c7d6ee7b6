import type { connectOpenAI } from '../openai/open-openai.ts'
import { openaiFields } from '../openai/openai-fields.ts'
import { fileIdentity, type ModelType } from './model-type.ts'

// Imported once: jiti gives a second import of a module that is still being evaluated its unfinished exports, and a model and its judge
// are opened at the same time.
let connector: Promise<{ connectOpenAI: typeof connectOpenAI }> | undefined

/** A model on an OpenAI-compatible server. */
export const openai: ModelType<typeof openaiFields> = {
  name: 'openai',
  classes: ['OpenAI', 'OpenAISDK'],
  fields: openaiFields,
  flag: {
    usage: 'openai:NAME@URL',
    read(given, { hasFormat }) {
      const [, name, url] = /^(.+)@(https?:\/\/.+)$/s.exec(given) ?? [undefined, given, undefined]
      // Servers hide special tokens by default, including those that start calls and reasoning.
      const whole = hasFormat ? { extra_body: { skip_special_tokens: false } } : { format: 'messages' }
      return { abbr: name, path: name, ...(url === undefined ? {} : { base_url: url }), ...whole }
    },
  },
  lacks: ({ path, base_url: url }) =>
    !path && !url ? ['the name that the server has for the model, as "path"; with base_url, the server is asked'] : [],
  identity(config, host) {
    const isNamed = (config.base_url ?? config.openai_api_base ?? undefined) !== undefined
    return fileIdentity(config, host, isNamed ? '' : (host.environment.OPENAI_BASE_URL ?? ''))
  },
  server(config, { environment }) {
    const url = config.base_url ?? [config.openai_api_base].flat()[0] ?? environment.OPENAI_BASE_URL
    return url && URL.canParse(url) ? new URL(url).origin : 'the default'
  },
  async open(config, { host, ...options }) {
    connector ??= import('../openai/open-openai.ts')
    return (await connector).connectOpenAI(config, host, options)
  },
}
