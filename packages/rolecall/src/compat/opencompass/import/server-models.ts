import { PromptError } from '@rolecall/core/internal/errors'
import { isNumber, pyFloat, type Value } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { otherNames } from '../../../evaluation/config/other-names.ts'
import { samplingNames } from '../../../model/language-model/sampling-settings.ts'
import { isMutableDict, type MutableDict, newDict, setItem } from '../../../python/interpreter/containers.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NameRef, Unknown } from '../../../python/interpreter/values.ts'

type Server = { endpoint?: 'completions'; stream?: true }

/** OpenCompass classes that call an OpenAI-compatible server. */
const openCompassClasses: Readonly<Record<string, Server>> = {
  OpenAI: {},
  OpenAISDK: {},
  OpenAISDKStreaming: { stream: true },
}

/** The AISBench equivalents: https://github.com/AISBench/benchmark. */
const aisBenchClasses: Readonly<Record<string, Server>> = {
  VLLMCustomAPI: { endpoint: 'completions' },
  VLLMCustomAPIStream: { endpoint: 'completions', stream: true },
  VLLMCustomAPIChat: {},
  VLLMCustomAPIChatStream: { stream: true },
  VLLMFunctionCallAPIChat: {},
  VllmMultiturnAPIChatStream: { stream: true },
}

/** Sampling settings that are fields in Rolecall; everything else in `generation_kwargs` is sent unchanged. */
const samplingKeys: readonly string[] = [...samplingNames, 'do_sample']

/** Converts a model on an OpenAI-compatible server to `type: 'openai'`; returns other models unchanged. */
export function toServerModel(session: Session, model: Value): Value {
  if (!isMutableDict(model)) return model
  const type = model.get('type')
  const name = type instanceof NameRef ? type.name : typeof type === 'string' ? type : ''
  const isAisBench = Object.hasOwn(aisBenchClasses, name)
  const server = ownEntry(isAisBench ? aisBenchClasses : openCompassClasses, name)
  // Azure uses different addresses and keys.
  if (server === undefined || model.has('azure_endpoint')) return model
  const made = newDict(session, model)
  const remarks = session.remarks.get(model)
  if (remarks) session.remarks.set(made, remarks)
  setItem(session, made, 'type', 'openai')
  for (const [key, value] of Object.entries(server)) if (!made.has(key)) setItem(session, made, key, value)
  takeKey(session, made)
  if (isAisBench) takeAddress(session, made)
  else refuseOtherAddress(made)
  takeOtherSettings(session, made)
  if (name === 'OpenAI') setOwnTemperature(session, made)
  else if (!isAisBench && !hasTemperature(made)) noteTemperature(session, made)
  return made as Value
}

/** OpenCompass's "ENV" means OPENAI_API_KEY, which is also our default. A name refers to another variable. */
function takeKey(session: Session, model: MutableDict): void {
  for (const name of ['key', 'api_key']) {
    const key = model.get(name)
    const variable = key instanceof Unknown ? key.variable : typeof key === 'string' && isVariable(key) ? key : undefined
    const isDefault =
      key === undefined || key === null || (typeof key === 'string' && (['', 'ENV', 'EMPTY'].includes(key) || isPlaceholder(key)))
    if (variable === undefined && !isDefault) continue
    model.delete(name)
    if (typeof key === 'string' && isPlaceholder(key)) {
      const abbr = model.get('abbr')
      const where = `models › ${typeof abbr === 'string' ? abbr : 'a model'} › ${name}`
      session.notes.push({ code: 'placeholder', where, text: `"${key}" stands for a key: it is read from OPENAI_API_KEY` })
    }
    if (variable !== undefined && !['ENV', 'EMPTY', 'OPENAI_API_KEY'].includes(variable)) setItem(session, model, 'key_env', variable)
  }
}

/** Placeholders that examples use for the user's API key. */
function isPlaceholder(text: string): boolean {
  return /^<.*>$|^(?:sk-)?x{3,}$|^your[-_ ]|^put[-_ ]|[-_ ]here$/i.test(text)
}

/** Whether a text is the name of an environment variable rather than a key. */
export function isVariable(text: string): boolean {
  return !isPlaceholder(text) && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text)
}

/**
 * OpenCompass's OpenAI classes read their address only from `openai_api_base`. An address under another name would be dropped, and the
 * rows sent to the vendor.
 */
function refuseOtherAddress(model: MutableDict): void {
  if (['openai_api_base', 'base_url'].some((key) => typeof model.get(key) === 'string' || Array.isArray(model.get(key)))) return
  const found = addressNames.find((key) => (model.get(key) ?? '') !== '')
  if (found === undefined) return
  const abbr = model.get('abbr')
  throw new PromptError('unknown-key', {
    where: `models › ${typeof abbr === 'string' ? abbr : 'a model'} › ${found}`,
    problem: `"${found}" is not read by OpenAI and OpenAISDK: rows would go to OpenAI's own server`,
    fix: 'write the address as openai_api_base',
  })
}

const meanings: Readonly<Record<string, string>> = otherNames.model
const addressNames = Object.keys(meanings).filter((name) => meanings[name] === 'base_url')

/** AISBench's `path` locates the weights and the tokenizer, `model` is the server's name for it. */
function takeAddress(session: Session, model: MutableDict): void {
  const take = (key: string) => {
    const value = model.get(key)
    model.delete(key)
    return value
  }
  const text = (value: Value | undefined) => (typeof value === 'string' ? value.trim() : '')
  const [url, host, port, isSecure] = [text(take('url')), text(take('host_ip')), take('host_port'), take('enable_ssl') === true]
  const protocol = isSecure ? 'https' : 'http'
  const address = url === '' ? `${host.includes(':') ? `[${host}]` : host || 'localhost'}:${String(port ?? 8080)}` : url
  const whole = /^https?:\/\//.test(address) ? address : `${protocol}://${address}`
  setItem(session, model, 'base_url', `${whole.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`)
  const folder = text(model.get('path'))
  const name = text(take('model'))
  model.delete('path')
  if (name !== '') setItem(session, model, 'path', name)
  if (folder !== '') setItem(session, model, 'tokenizer_path', folder)
  const rate = take('request_rate')
  if (isNumber(rate) && Number(rate) > 0) setItem(session, model, 'requests_per_minute', Number(rate) * 60)
  take('attr')
}

/** OpenCompass's OpenAI class samples with 0.7 where the config says nothing; OpenAISDK leaves it to the server. */
function setOwnTemperature(session: Session, model: MutableDict): void {
  if (!hasTemperature(model)) setItem(session, model, 'temperature', pyFloat(0.7))
}

function hasTemperature(model: MutableDict): boolean {
  const isSet = (dict: Value | undefined) => dict !== undefined && isMutableDict(dict) && (dict.get('temperature') ?? null) !== null
  return ['generation_kwargs', 'extra_body'].some((key) => isSet(model.get(key))) || (model.get('temperature') ?? null) !== null
}

function noteTemperature(session: Session, model: MutableDict): void {
  const abbr = model.get('abbr')
  session.notes.push({
    code: 'own-temperature',
    where: `models › ${typeof abbr === 'string' ? abbr : 'a model'} › temperature`,
    text: "no temperature is set: 0 is sent. OpenCompass's OpenAISDK sends none, so there the server's default applies",
  })
}

function takeOtherSettings(session: Session, model: MutableDict): void {
  const given = model.get('generation_kwargs')
  const extra = newDict(session)
  const before = model.get('extra_body')
  for (const more of [before, model.get('openai_extra_kwargs')])
    if (more !== undefined && isMutableDict(more)) for (const [key, value] of more) setItem(session, extra, key, value)
  model.delete('openai_extra_kwargs')
  if (given !== undefined && isMutableDict(given)) {
    const sampling = newDict(session)
    for (const [key, value] of given) {
      if (value !== null) setItem(session, typeof key === 'string' && samplingKeys.includes(key) ? sampling : extra, key, value)
    }
    if (sampling.size > 0) setItem(session, model, 'generation_kwargs', sampling as Value)
    else model.delete('generation_kwargs')
  }
  if (extra.size > 0) setItem(session, model, 'extra_body', extra as Value)
}
