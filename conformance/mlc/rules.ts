import { nearestName } from '../../src/base/errors/nearest.ts'
import { type MlcRule, type MlcRuleName, mlcRules } from '../../src/base/fidelity/mlc-fidelity.ts'
import { dictGet, dictHas, dictKeys, isDict, isList, type PyDict, PyFloat, type PyValue } from '../../src/base/python/index.ts'
import { mlcRanges } from '../../src/prompt/format/mlc/chat-config.ts'
import { newKeys, oldKeys } from '../../src/prompt/format/mlc/mlc-schema.ts'
import { showsFunctions } from '../../src/prompt/format/mlc/new-segments.ts'
import { type Outcome, sameValue } from '../outcome.ts'
import { joined, newConversation } from './new-prompt.ts'
import { underflows } from './sampling.ts'
import { stopPlace } from './stopping.ts'
import type { MlcVector } from './vector.ts'
import { windowOf } from './window.ts'

/** A rule that applies to an input, and whether applying the reference's behaviour to our result gives the reference's result. */
export type AppliedRule = MlcRule & { name: MlcRuleName; reproduces?: (ours: unknown, vector: MlcVector) => boolean }

/** The rules of `src/base/fidelity/mlc-fidelity.ts` that apply to a vector's input. They look only at the input, never at results. */
export function rulesOf(vector: MlcVector): AppliedRule[] {
  return (Object.keys(conditions) as MlcRuleName[])
    .filter((name) => conditions[name](vector))
    .map((name) => ({ name, ...mlcRules[name], ...(reproductions[name] ? { reproduces: reproductions[name] } : {}) }))
}

/** A rule states which kind of outcome is ours; if the reference's behaviour can be applied to ours, the reference's result must come out. */
export function explains(rule: AppliedRule, ours: Outcome, vector: MlcVector): boolean {
  if (rule.gives !== 'either' && rule.gives !== ('error' in ours ? 'error' : 'value')) return false
  return rule.reproduces === undefined || ('value' in ours && rule.reproduces(ours.value, vector))
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

const reproductions: Partial<Record<MlcRuleName, (ours: unknown, vector: MlcVector) => boolean>> = {
  // Without tools every placeholder is removed, including those in user text.
  'placeholders-in-data': (ours, { expected, tools, config }) => {
    if (tools || dictHas(config, 'function_string')) return true
    const erased = (ours as { prompt: unknown[] }).prompt.map((part) =>
      typeof part === 'string' ? part.replaceAll('{function_string}', '') : part,
    )
    return sameValue(erased, expected)
  },
  // Without tools, only the template's placeholders are left over in the reference's prompt.
  'function-string-beside-images': (ours, { expected, tools, config }) => {
    if (tools || dictHas(config, 'function_string')) return true
    const erased = (expected as unknown[]).map((part) => (typeof part === 'string' ? part.replaceAll('{function_string}', '') : part))
    const text = (parts: unknown[]) => parts.filter((part) => part !== '')
    return sameValue(text((ours as { prompt: unknown[] }).prompt), text(erased))
  },
  // The system text again, if everything fits the window.
  'system-text-once': (ours, vector) => {
    const { sent } = ours as { sent: unknown[] }
    const { chat, options } = windowOf(vector)
    const twice = [...chat.prefix, ...chat.all[0]!, ...chat.all.flat()]
    if (vector.era === '2023-06' || options.count(twice) >= options.maxWindowSize) return true
    return sameValue(joined(twice), vector.expected) && sameValue(joined([...chat.prefix, ...chat.all.flat()]), sent)
  },
}
