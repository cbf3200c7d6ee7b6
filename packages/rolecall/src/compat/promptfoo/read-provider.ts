import { samplingRows } from '../../model/language-model/sampling-settings.ts'
import type { PromptfooFields } from './read-tests.ts'

/** The settings of a provider that a model has, too. */
const settings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(samplingRows.flatMap(({ name, wire: { llamacpp = name } }) => [name, llamacpp].map((theirs) => [theirs, name]))),
  max_tokens: 'max_out_len',
  max_completion_tokens: 'max_out_len',
  num_predict: 'max_out_len',
  stop: 'stop_words',
}

/** Settings that are read elsewhere, or that only concern promptfoo. */
const others = ['apiBaseUrl', 'apiHost', 'apiKey', 'apiKeyEnvar', 'organization', 'cost', 'inputCost', 'outputCost', 'showThinking']

/** A provider of the OpenAI kind as a model; none if it is of another kind, with the reason. */
export function readProvider(given: unknown, where: string, leaveOut: (where: string, text: string) => void): PromptfooFields[] {
  const { id, label, config = {}, prompts } = typeof given === 'string' ? { id: given } : ((given ?? {}) as PromptfooFields)
  const [, kind, endpoint, name] = /^(openai|ollama):(?:(chat|completion):)?(.+)$/.exec(String(id)) ?? []
  if (name === undefined) {
    leaveOut(where, `"${String(id)}" is not a provider of the OpenAI kind (openai:…, ollama:…)`)
    return []
  }
  if (prompts !== undefined) leaveOut(`${where}.prompts`, 'every provider gets every prompt')
  const fields = config as PromptfooFields
  const { apiBaseUrl, apiHost, apiKeyEnvar, apiKey } = fields
  const unknown = Object.keys(fields).filter((key) => !(key in settings) && !others.includes(key))
  if (unknown.length > 0) leaveOut(`${where}.config`, `settings ${unknown.join(', ')}`)
  const address = apiBaseUrl ?? (apiHost === undefined ? undefined : `https://${apiHost}/v1`)
  const named = /^\{\{\s*env\.(\w+)\s*\}\}$/.exec(String(apiKey))?.[1] ?? apiKeyEnvar
  const taken = Object.entries(settings).flatMap(([theirs, ours]) => (fields[theirs] === undefined ? [] : [[ours, fields[theirs]]]))
  return [
    {
      abbr: String(label ?? name),
      type: 'openai',
      path: name,
      base_url: address ?? (kind === 'ollama' ? 'http://127.0.0.1:11434/v1' : 'https://api.openai.com/v1'),
      ...(endpoint === 'completion' ? { endpoint: 'completions' } : { format: 'messages' }),
      ...(named !== undefined ? { key_env: String(named) } : apiKey === undefined ? {} : { key: String(apiKey) }),
      ...Object.fromEntries(taken),
    },
  ]
}
