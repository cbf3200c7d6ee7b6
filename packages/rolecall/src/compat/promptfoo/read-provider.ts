import { samplingRows } from '../../model/language-model/sampling-settings.ts'
import { yamlOf } from './find-tests.ts'
import { fieldsOf, fileIn, type LeaveOut, type PromptfooFields, type PromptfooHost } from './promptfoo-host.ts'

/** The settings of a provider that a model has, too. */
const settings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    samplingRows.flatMap(({ name, wire: { llamacpp = name, google = name } }) => [name, llamacpp, google].map((theirs) => [theirs, name])),
  ),
  max_tokens: 'max_out_len',
  max_completion_tokens: 'max_out_len',
  num_predict: 'max_out_len',
  maxOutputTokens: 'max_out_len',
  reasoning_effort: 'reasoning_effort',
  stop: 'stop_words',
}

/** Settings that are read elsewhere, or that only concern promptfoo. */
const others = ['apiBaseUrl', 'apiHost', 'apiKey', 'apiKeyEnvar', 'organization', 'cost', 'inputCost', 'outputCost', 'showThinking']

/** The providers of a config, also those in files of their own, as models. */
export function readProviders(given: PromptfooFields, host: PromptfooHost, leaveOut: LeaveOut, where = 'providers'): PromptfooFields[] {
  const providers = [given.providers ?? given.targets].flat().flatMap((provider, number) => {
    const place = where === 'providers' ? `${where}[${number}]` : where
    const path = fileIn(typeof provider === 'string' ? provider : fieldsOf(provider).id)
    if (path === undefined || !/\.(?:ya?ml|json)$/.test(path)) return [{ provider, place }]
    return [yamlOf(host.readText(path), path)].flat().map((one) => ({ provider: one, place: `${place} › ${path}` }))
  })
  const models = providers.flatMap(({ provider, place }) => readProvider(keyedProvider(provider), place, leaveOut))
  const names = models.map(({ abbr }) => abbr)
  return models.map((model, index) => {
    const before = names.slice(0, index).filter((name) => name === model.abbr).length
    return before === 0 ? model : { ...model, abbr: `${String(model.abbr)}-${before + 1}` }
  })
}

/** `{ openai:gpt-4o: { config } }` is the older form of `{ id: openai:gpt-4o, config }`. */
function keyedProvider(provider: unknown): unknown {
  const fields = fieldsOf(provider)
  const [id, ...more] = Object.keys(fields)
  if (id === undefined || more.length > 0 || !id.includes(':')) return provider
  return { id, ...fieldsOf(fields[id]) }
}

/** The address of a provider's models, if its own type of model does not know it. */
const addresses: Readonly<Record<string, string>> = { openai: 'https://api.openai.com/v1', ollama: 'http://127.0.0.1:11434/v1' }

/** A provider of chats as a model; none if it is of another kind, with the reason. */
export function readProvider(given: unknown, where: string, leaveOut: (where: string, text: string) => void): PromptfooFields[] {
  const { id, label, config = {}, prompts, transform } = typeof given === 'string' ? { id: given } : ((given ?? {}) as PromptfooFields)
  const [, kind, endpoint, name] = /^(openai|ollama|anthropic|google):(?:(chat|completion|messages):)?(.+)$/.exec(String(id)) ?? []
  if (name === undefined) {
    leaveOut(where, `"${String(id)}" is not a provider that runs here (openai:…, anthropic:…, google:…, ollama:…)`)
    return []
  }
  if (transform !== undefined || fieldsOf(config).transform !== undefined) {
    leaveOut(where, 'a transform changes its outputs: write it as defaultTest.options.transform')
    return []
  }
  if (prompts !== undefined) leaveOut(`${where}.prompts`, 'every provider gets every prompt')
  const fields = config as PromptfooFields
  const { apiBaseUrl, apiHost, apiKeyEnvar, apiKey } = fields
  const unknown = Object.keys(fields).filter((key) => !(key in settings) && !others.includes(key))
  if (unknown.length > 0) leaveOut(`${where}.config`, `settings ${unknown.join(', ')}`)
  const address = apiBaseUrl ?? (apiHost === undefined ? undefined : `https://${apiHost}/v1`)
  const base = address ?? addresses[String(kind)]
  const named = /^\{\{\s*env\.(\w+)\s*\}\}$/.exec(String(apiKey))?.[1] ?? apiKeyEnvar
  const taken = Object.entries(settings).flatMap(([theirs, ours]) => (fields[theirs] === undefined ? [] : [[ours, fields[theirs]]]))
  return [
    {
      abbr: String(label ?? name),
      type: kind === 'anthropic' || kind === 'google' ? kind : 'openai',
      path: name,
      ...(base === undefined ? {} : { base_url: base }),
      ...(endpoint === 'completion' ? { endpoint: 'completions' } : { format: 'messages' }),
      ...(named !== undefined ? { key_env: String(named) } : apiKey === undefined ? {} : { key: String(apiKey) }),
      ...Object.fromEntries(taken),
    },
  ]
}
