import { nearestName } from '../../../packages/core/src/base/errors/nearest.ts'
import {
  dictEntries,
  dictGet,
  dictHas,
  dictKeys,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
  pyStr,
} from '../../../packages/core/src/base/python/index.ts'
import { mlcRanges } from '../../../packages/core/src/prompt/format/mlc/chat-config.ts'
import { newKeys, oldKeys } from '../../../packages/core/src/prompt/format/mlc/mlc-schema.ts'
import { showsFunctions } from '../../../packages/core/src/prompt/format/mlc/new-segments.ts'
import { readMlcConversation } from '../../../packages/core/src/prompt/format/mlc/read-mlc-conversation.ts'
import { writeOld } from '../../../packages/core/src/prompt/format/mlc/read-old.ts'
import type { Outcome } from '../outcome.ts'
import type { mlcRules } from '../rules/mlc.ts'
import { givesSo } from '../rules.ts'
import { near } from '../scoring/vector.ts'
import { newConversation } from './new-prompt.ts'
import { oldConversation } from './old-prompt.ts'
import { promisedWindow } from './promised-window.ts'
import { promisedSample, underflows } from './sampling.ts'
import { stopPlace } from './stopping.ts'
import type { MlcSubject, MlcVector } from './vector.ts'
import { NotWritten, writeAsWebLlm } from './web-llm-writer.ts'
import { windowOf } from './window.ts'

type MlcRuleName = keyof typeof mlcRules

/** The rules whose condition a vector's input meets. */
export function rulesOf(vector: MlcVector): MlcRuleName[] {
  return (Object.keys(conditions) as MlcRuleName[]).filter((name) => conditions[name](vector))
}

/** Whether an outcome is what a rule promises: a refusal with its error, or a result that is computed a second time. */
export function keepsPromise(name: MlcRuleName, ours: Outcome, subject: MlcSubject): boolean {
  if (!givesSo(name, ours)) return false
  const promised: ((subject: MlcSubject) => unknown) | undefined = (
    promises as Partial<Record<MlcRuleName, (subject: MlcSubject) => unknown>>
  )[name]
  if (promised === undefined) return 'error' in ours
  const value = promised(subject)
  return 'error' in ours ? value === undefined : value !== undefined && near(ours.value, value, 1e-6)
}

/** An old-generation vector with a conv_config. */
const isOld = ({ source, mode }: MlcVector) => source === 'mlc-old' && mode !== 'sample'
const isChatConfig = ({ mode }: MlcVector) => mode === 'chat-config'

/** The conv_configs of a vector, given directly or in its chat configs. */
function conversationConfigs(vector: MlcVector): PyDict[] {
  if (!isChatConfig(vector)) return [vector.config]
  return [vector.config, vector.app_config].flatMap((config) => {
    const given = config && dictGet(config, 'conv_config')
    return isDict(given) ? [given] : []
  })
}

const someConfig = (vector: MlcVector, test: (config: PyDict) => boolean) => isOld(vector) && conversationConfigs(vector).some(test)

/** A config that must be complete because it has no underlying template. */
function isAlone(vector: MlcVector): boolean {
  return isChatConfig(vector) ? !dictHas(vector.config, 'conv_template') : vector.template === null
}

const conditions: Record<MlcRuleName, (vector: MlcVector) => boolean> = {
  'document-defaults': (vector) =>
    isChatConfig(vector) &&
    ['temperature', 'repetition_penalty', 'top_p', 'mean_gen_len', 'shift_fill_factor', 'vocab_size'].some(
      (key) => !dictHas(vector.config, key),
    ) &&
    (dictHas(vector.config, 'conv_template') || dictHas(vector.config, 'conv_config')),
  'prefix-tokens-optional': (vector) => isAlone(vector) && someConfig(vector, (config) => !dictHas(config, 'prefix_tokens')),
  'partial-conv-config': ({ app_config: over, config }) =>
    over !== undefined && dictHas(over, 'conv_config') && !dictHas(over, 'conv_template') && dictHas(config, 'conv_template'),
  'separator-style-names': (vector) =>
    someConfig(vector, (config) => ['kSepRoleMsg', 'kCodeCompletion', 'kLM'].includes(dictGet(config, 'separator_style') as string)),
  'offset-default': (vector) =>
    vector.era === '2023-06' && someConfig(vector, (config) => dictHas(config, 'messages') && !dictHas(config, 'offset')),
  'two-roles': (vector) =>
    someConfig(vector, (config) => {
      const roles = dictGet(config, 'roles')
      return isList(roles) && roles.length !== 2
    }),
  'unknown-conv-key': (vector) => {
    const known = vector.source === 'mlc-old' ? oldKeys : newKeys
    return conversationConfigs(vector).some((config) =>
      dictKeys(config).some((key) => !known.includes(key) && nearestName(key, known) !== undefined),
    )
  },
  'other-generation-keys': (vector) => {
    const [own, others] = vector.source === 'mlc-old' ? [oldKeys, newKeys] : [newKeys, oldKeys]
    return conversationConfigs(vector).some((config) => dictKeys(config).some((key) => others.includes(key) && !own.includes(key)))
  },
  'repetition-penalty-checked': (vector) =>
    isChatConfig(vector) &&
    [vector.config, vector.app_config].some((config) => config && isNotPositive(dictGet(config, 'repetition_penalty'))),
  'settings-in-range': (vector) =>
    isChatConfig(vector) &&
    [vector.config, vector.app_config].some(
      (config) => config && Object.entries(mlcRanges).some(([key, range]) => isOutside(dictGet(config, key), range)),
    ),
  'placeholders-in-data': ({ source, messages }) =>
    source === 'mlc-new' && messages.some(({ content }) => textsIn(content).some((text) => text.includes('{function_string}'))),
  'function-string-beside-images': (vector) =>
    vector.source === 'mlc-new' &&
    vector.messages.some(({ content }) => isList(content) && content.some((part) => dictGet(part, 'type') === 'image_url')) &&
    showsFunctions(newConversation(vector)),
  'system-without-slot': (vector) =>
    vector.source === 'mlc-new' &&
    vector.messages.some(({ role }) => role === 'system') &&
    !newConversation(vector).systemTemplate.includes('{system_message}'),
  'system-text-once': (vector) => vector.mode === 'window' && overflows(vector) && dropsNothing(vector),
  'stop-inside-token': (vector) => vector.mode === 'stop' && stopPlace(vector) === 'inside',
  'stop-without-backtracking': (vector) => vector.mode === 'stop' && vector.backtracking === false && stopPlace(vector) !== undefined,
  'stop-of-2023': (vector) => vector.mode === 'stop' && vector.era === '2023-06' && stopPlace(vector) !== undefined,
  'softmax-underflow': underflows,
  'call-arguments-without-names': ({ mode, output }) => mode === 'tool-call-parse' && /\((?!\s*\)|\s*\w+\s*=)/.test(output ?? ''),
  'call-behind-space': ({ mode, output }) => mode === 'tool-call-parse' && /^\s/.test(output ?? ''),
  'window-of-2023': (vector) => vector.mode === 'window' && vector.era === '2023-06' && overflows(vector),
}

function isOutside(value: PyValue | undefined, { least, most = Number.POSITIVE_INFINITY }: (typeof mlcRanges)[string]): boolean {
  const number = value instanceof PyFloat ? value.value : value
  return typeof number === 'number' && (number < least || number > most)
}

function isNotPositive(value: PyValue | undefined): boolean {
  const number = value instanceof PyFloat ? value.value : value
  return typeof number === 'number' && number <= 0
}

function textsIn(content: string | null | readonly PyDict[]): string[] {
  if (typeof content === 'string') return [content]
  return (content ?? []).flatMap((part) => {
    const text = dictGet(part, 'text')
    return typeof text === 'string' ? [text] : []
  })
}

/** Whether the window has no room for the next round and a reply. */
function overflows(vector: MlcVector): boolean {
  const { chat, options } = windowOf(vector)
  const next = options.used === 0 ? [...chat.prefix, ...chat.all.flat()] : chat.lastRound
  return options.used + options.count(next) + options.meanGenLen >= options.maxWindowSize
}

/** Whether there is a system text and no message after which the conversation fills its share of the window. */
function dropsNothing(vector: MlcVector): boolean {
  const { chat, options } = windowOf(vector)
  const sizes = chat.all.map(options.count)
  const limit = options.shiftFillFactor * options.maxWindowSize
  const fills = (from: number) => sizes[0]! + sizes.slice(from).reduce((sum, size) => sum + size, 0) >= limit
  return chat.hasSystem && !sizes.some((_, index) => index >= 1 && index + 2 < sizes.length && fills(index))
}

/** The same vector with a config in which something is written out. */
function withConfig({ vector, again }: MlcSubject, change: (config: Record<string, PyValue>) => Record<string, PyValue>): unknown {
  const changed = (config: PyDict): PyDict => change(Object.fromEntries(dictEntries(config)))
  return again({ ...vector, config: changed(vector.config), ...(vector.app_config ? { app_config: changed(vector.app_config) } : {}) })
}

/** The conv_config of a vector or of its chat config, changed. */
const inConversation = (change: (config: Record<string, PyValue>) => Record<string, PyValue>) => (subject: MlcSubject) =>
  withConfig(subject, (config) => {
    if (!isChatConfig(subject.vector)) return change(config)
    const given = config.conv_config
    return isDict(given) ? { ...config, conv_config: change(Object.fromEntries(dictEntries(given))) } : config
  })

const styles: Readonly<Record<string, number>> = { kSepRoleMsg: 0, kCodeCompletion: 1, kLM: 1 }

/** What Rolecall gives where it differs with a result; undefined for a refusal. */
const promises = {
  // The same as with the defaults written out.
  'document-defaults': (subject) =>
    withConfig(subject, (config) => (config === undefined ? config : { ...documentDefaults(subject.vector, config), ...config })),
  'prefix-tokens-optional': inConversation((config) => ({ ...config, prefix_tokens: config.prefix_tokens ?? [] })),
  'partial-conv-config': ({ vector, again }) => {
    const own = writeOld(readMlcConversation({ conv_template: String(dictGet(vector.config, 'conv_template')) }) as never)
    const changes = Object.fromEntries(dictEntries(dictGet(vector.app_config!, 'conv_config') as PyDict))
    // A conversation written by us holds values of JSON only, which its type does not say.
    const complete = { ...Object.fromEntries(dictEntries(vector.app_config!)), conv_config: { ...own, ...changes } as unknown as PyDict }
    return again({ ...vector, app_config: complete })
  },
  'separator-style-names': inConversation((config) => ({
    ...config,
    separator_style: styles[String(config.separator_style)] ?? config.separator_style!,
  })),
  'offset-default': inConversation((config) => ({
    ...config,
    offset: config.offset ?? (isList(config.messages ?? null) ? (config.messages as readonly PyValue[]).length : 0),
  })),
  'placeholders-in-data': ({ vector }) => promisedPrompt(vector),
  'function-string-beside-images': ({ vector }) => promisedPrompt(vector),
  'system-text-once': ({ vector }) => promisedWindow(vector),
  'window-of-2023': ({ vector }) => promisedWindow(vector),
  'stop-inside-token': ({ vector }) => promisedStop(vector),
  'stop-without-backtracking': ({ vector }) => promisedStop(vector),
  'stop-of-2023': ({ vector }) => promisedStop(vector),
  'softmax-underflow': ({ vector }) => promisedSample(vector),
  'call-arguments-without-names': () => ({ isUsable: false, calls: [] }),
  // The same as without the space.
  'call-behind-space': ({ vector, again }) => again({ ...vector, output: vector.output!.trimStart() }),
} as const satisfies Partial<Record<MlcRuleName, (subject: MlcSubject) => unknown>>

/** The settings of document 003 that a config lacks; a second config inherits those of the first. */
function documentDefaults({ config: first }: MlcVector, config: Record<string, PyValue>): Record<string, PyValue> {
  if (config !== first && !dictKeys(first).every((key) => key in config)) return {}
  return {
    temperature: new PyFloat(0.7),
    repetition_penalty: new PyFloat(1),
    top_p: new PyFloat(0.95),
    mean_gen_len: 128,
    max_gen_len: 512,
    shift_fill_factor: new PyFloat(0.3),
    vocab_size: 32000,
  }
}

/** MLC-LLM's prompt with placeholders replaced in templates only. */
function promisedPrompt(vector: MlcVector): unknown {
  const functions = vector.mode === 'request' ? requestedFunctions(vector) : undefined
  const history = dictGet(vector.config, 'messages')
  const said = isList(history ?? null) ? (history as readonly [string, string | null][]).map(([role, content]) => ({ role, content })) : []
  const given = { ...vector, messages: [...said, ...vector.messages], ...(functions === undefined ? {} : { function_string: functions }) }
  try {
    return {
      prompt: writeAsWebLlm(given, new Set()),
      ...(vector.use_function_calling === undefined ? {} : { useFunctions: functions !== undefined }),
    }
  } catch (error) {
    if (error instanceof NotWritten) return undefined
    throw error
  }
}

/** The tools of a request as Python writes them: description, name and parameters. */
function requestedFunctions({ tools, tool_choice: choice }: MlcVector): string | undefined {
  if (!tools || choice === 'none') return undefined
  const functions = tools.map((tool) => dictGet(tool, 'function') as PyDict)
  const shown = functions.map((one) => ({
    description: dictGet(one, 'description') ?? null,
    name: dictGet(one, 'name')!,
    parameters: dictGet(one, 'parameters') ?? {},
  }))
  const chosen = isDict(choice) ? dictGet(dictGet(choice, 'function') as PyDict, 'name') : undefined
  return chosen === undefined ? pyStr(shown) : pyStr(shown.find(({ name }) => name === chosen)!)
}

/** The reply ends exactly where the first stop text begins. */
function promisedStop(vector: MlcVector): unknown {
  const { stopIds, stopText } = oldConversation(vector)
  const stops = [stopText, ...(vector.stop ?? [])].filter((stop) => stop !== '')
  let text = ''
  for (const [index, token] of vector.tokens!.entries()) {
    text += stopIds.includes(token) ? '' : vector.vocab![token]!
    const at = Math.min(...stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0))
    if (at === Number.POSITIVE_INFINITY) continue
    const message = text.slice(0, at)
    return { stopped: true, consumed: index + 1, message, shown: message.replace(/^ +/, '').replace(/\n+$/, '') }
  }
  return undefined
}
