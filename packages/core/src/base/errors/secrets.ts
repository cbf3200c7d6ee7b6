// Configs are copied into results, sites and logs, which people share. All writers use this module to find their secrets.

/** The placeholder for a secret. */
export type SecretMark = { $secret: string }

/** Names of settings, parts of an address and fields of a request whose value is a secret. */
const secretNames = new RegExp(
  `^(${[
    'keys?|token|sig',
    '(.*_)?(api_?key|(access|account|client|private|secret|subscription)_key)',
    '(.*_)?((access|api|auth|bearer|client|hf|hub|id|personal|refresh|security|session|user)_?token)',
    '(.*_)?(auth|authorization|bearer|cookies?|credentials?|pass|passphrase|passw(or)?d|secret|session(_?id)?|signature)',
  ].join('|')})$`,
)

/** Any header or extra body field may carry a key: gateways use names of their choice. */
const sentNames = /^(.*_)?(headers|extra_body|generation_body|openai_extra_kwargs)$/

/** Rows and templates are data, not settings, whatever their columns and labels are called. */
const dataNames = /^((train_)?rows|template|meta_template|chat_template|ollama_template|conv_template|conv_config|special_tokens)$/

/** Keys of well-known services, and authorization headers. */
const secretValues = /^((bearer|basic|token) \S+|(sk|pk|rk|hf|gh[opsu]|github_pat|glpat|xox[abp]|AKIA|AIza|eyJ)[-\w.]{16,})$/i

/** The start of `name: value`, `'name': 'value'`, `\"name\": \"value\"` and `name=value`, and what follows it. Messages may be cut in a value. */
const nameInText = /(?<![\w.-])([A-Za-z][\w.-]{1,40})(?:\\*["'])?\s*[:=]\s*/g
const valueInText = /(\\*["'])(?:.*?(?<!\\)\1|.*)|(?:(?:bearer|basic|token)\s+)?[^\s"',;&}\])]+/iy

const keysInText =
  /(?<![\w-])(?:(?:sk|pk|rk|hf|gh[opsu]|github_pat|glpat|xox[abp]|AKIA|AIza|eyJ)[-\w.]{16,}|(?:bearer|basic) (?=\S*[\d_+/=])[^\s"',;]{6,})/gi

const homeFolders = /(?<![\w.])(?:\/home\/|\/Users\/|[A-Z]:\\{1,2}Users\\{1,2})[^\s/\\"':;]+/g

/** References to a secret, or its absence: `$NAME` and `ENV` mean the environment. */
const noSecrets = /^(\$[A-Za-z_]\w*|ENV|EMPTY|None|none|)$/

/** `settings`: secrets are recognized by name. `sent`: every text is secret unless it is a plain word. `secret`: every text is secret. */
type Part = 'settings' | 'sent' | 'secret' | 'data'

/** A config, or a part of one, with placeholders for all secrets, also in judge models and in addresses. */
export function withoutSecrets<Value>(value: Value): Value {
  return redact(value, '', 'settings', () => {}) as Value
}

/**
 * A message of a server or tool without keys, whether in an address, beside the name of a header or field, or recognizable by format, and
 * without the names of home folders.
 *
 * @example
 * redactMessage('401 for {"Authorization": "Bearer abc"}') // => '401 for {"Authorization": "***"}'
 */
export function redactMessage(text: string): string {
  return redactNamed(redactAddresses(text, () => {}))
    .replace(keysInText, '***')
    .replace(homeFolders, '~')
}

function redactNamed(text: string): string {
  let [clean, copied] = ['', 0]
  for (const found of text.matchAll(nameInText)) {
    const start = found.index + found[0].length
    valueInText.lastIndex = start
    const value = start >= copied && secretNames.test(snakeCase(found[1]!)) ? valueInText.exec(text) : null
    if (value === null) continue
    clean += `${text.slice(copied, start)}${value[1] ?? ''}***${value[1] ?? ''}`
    copied = valueInText.lastIndex
  }
  return clean + text.slice(copied)
}

/** The secrets in a config. */
export function secretsIn(config: unknown): string[] {
  const found = new Set<string>()
  redact(config, '', 'settings', (secret) => found.add(secret))
  return [...found]
}

/**
 * Those that are keys by name or format. Other values sent in headers or in the body are private, too, but may be a word that a model says
 * as well.
 */
export function keysIn(config: unknown): string[] {
  const found = new Set<string>()
  redact(config, '', 'settings', (secret, isKey) => {
    if (isKey) found.add(secret)
  })
  return [...found]
}

/** Whether the value of a setting is a secret, not a reference to one or a word that means none. */
export function isSecret(name: string, value: unknown): boolean {
  return secretsIn({ [name]: value }).length > 0
}

export function isSecretMark(value: unknown): value is SecretMark {
  return isPlain(value) && typeof value.$secret === 'string' && Object.keys(value).length === 1
}

/** A config without placeholders: secrets are read from the environment again, or not needed. */
export function withoutMarks<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.filter((one) => !isSecretMark(one)).map(withoutMarks) as Value
  if (value instanceof Map)
    return new Map([...value].filter(([, one]) => !isSecretMark(one)).map(([key, one]) => [key, withoutMarks(one)])) as Value
  if (!isPlain(value)) return value
  const kept = Object.entries(value).filter(([, one]) => !isSecretMark(one))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutMarks(one)])) as Value
}

type Tell = (secret: string, isKey: boolean) => void

function redact(value: unknown, name: string, part: Part, tell: Tell): unknown {
  if (typeof value === 'string') return redactText(value, name, part, tell)
  const inner = part === 'settings' || part === 'sent' ? partNamed(name, part) : part
  if (Array.isArray(value)) return value.map((one) => redact(one, name, inner, tell))
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, redact(one, String(key), inner, tell)]))
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redact(one, key, inner, tell)]))
}

function partNamed(name: string, within: 'settings' | 'sent'): Part {
  const plain = snakeCase(name)
  if (dataNames.test(plain) && within === 'settings') return 'data'
  if (secretNames.test(plain)) return 'secret'
  return sentNames.test(plain) ? 'sent' : within
}

function redactText(text: string, name: string, part: Part, tell: Tell): string | SecretMark {
  if (part === 'data' || noSecrets.test(text)) return text
  const isKey = part === 'secret' || secretNames.test(snakeCase(name)) || secretValues.test(text)
  // The settings of a request are often words: reasoning_effort: high.
  const isWhole = isKey || (part === 'sent' && !/^[a-z][a-z_]{0,30}$/.test(text))
  if (!isWhole) return redactAddresses(text, tell)
  tell(text, isKey)
  return { $secret: name }
}

/** A text whose addresses have neither credentials nor keys among their parameters. */
function redactAddresses(text: string, tell: Tell): string {
  return text
    .replace(/(?<![a-z\d+.-])([a-z][a-z\d+.-]{0,30}:\/\/)([^\s/?#]*)@/gi, (_, protocol: string, login: string) => {
      tell(login.slice(login.indexOf(':') + 1), true)
      return protocol
    })
    .replace(/([?&#;])([^=?&#;\s]+)=([^&#;\s]+)/g, (whole, before: string, name: string, value: string) => {
      if (!secretNames.test(snakeCase(name)) || noSecrets.test(value)) return whole
      tell(value, true)
      return `${before}${name}=***`
    })
}

/** `apiKey`, `x-api-key` and `API_KEY` are the same name. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]+/g, '_')
    .toLowerCase()
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // The prototype's prototype, not `=== Object.prototype`: a config evaluated in another realm has another Object.
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
