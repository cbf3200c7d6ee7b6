import type { Note } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import { isDict } from '@rolecall/core/internal/python'
import { newDict } from '../../../python/interpreter/containers.ts'
import { Session } from '../../../python/interpreter/session.ts'
import { hasTemplate, mlcKeys } from './loose-conversation.ts'
import { combineParts } from './loose-parts.ts'
import { newConversion, toConfigValue } from './to-config-value.ts'

/** A config in YAML or JSON, with its loose parts in entries. */
export type ImportedParts = { config: Record<string, unknown>; notes: Note[]; isSnippet: boolean }

/** Top-level names of the documents: parts of a config. */
const datasetPart = /^(?:(?:\w+_)?(?:infer_cfg|ice_template|prompt_template)|reader_cfg|eval_cfg|example|ex\d+)$/
const modelPart = /^(?:(?:\w+_)?meta_template|conv_template|conv_config)$/

/** Whether the content of a file has parts of a dataset at its top level, so that it is more than a format. */
export function hasDatasetParts(content: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(content).some(([name, value]) => datasetPart.test(name) || isPromptList(value))
}

/**
 * The snippets of documents 000 to 002 in YAML or JSON, read as in Python: a meta template, a template, a row or a PromptList at the top
 * level. Undefined if there is none of them.
 *
 * @example importParts({ meta_template: { round: [{ role: 'HUMAN' }] } }, 'c.yaml')?.config.models // => [{ abbr: 'model', meta_template: { round: [{ role: 'HUMAN' }] } }]
 */
export function importParts(data: unknown, file: string): ImportedParts | undefined {
  const named = asNamed(data)
  const entries = Object.entries(named ?? {})
  const isPart = ([name, value]: [string, unknown]) => modelPart.test(name) || datasetPart.test(name) || isPromptList(value)
  if (!entries.some(isPart)) return undefined
  const session = new Session({ read: () => undefined })
  const names = new Map(entries.map(([name, value]): [string, Value] => [name, toValue(session, value)]))
  for (const [name, value] of entries) if (isPromptList(value)) session.promptLists.push(names.get(name) ?? [])
  const listOf = (key: string) => (Array.isArray(named?.[key]) ? (names.get(key) as Value[]) : [])
  const combined = combineParts(session, names, { models: listOf('models'), datasets: listOf('datasets') }, file)
  const conversion = newConversion(session, new WeakMap(), file)
  const converted = (kind: 'models' | 'datasets') => toConfigValue(conversion, combined[kind], `${file} › ${kind}`)
  // Settings beside a conversation template are the model's, and messages are a dataset.
  const isTaken = ([name]: [string, unknown]) =>
    (combined.models.length > 0 && hasTemplate(names) && mlcKeys.has(name)) || (combined.isSnippet && ['messages', 'tools'].includes(name))
  const others = entries.filter((entry) => !isPart(entry) && !isTaken(entry))
  return {
    config: { ...Object.fromEntries(others), models: converted('models'), datasets: converted('datasets') },
    notes: session.notes,
    isSnippet: combined.isSnippet === true,
  }
}

/** A list of turns is a PromptList; a template or a meta template may stand alone, without its name. */
function asNamed(data: unknown): Record<string, unknown> | undefined {
  if (isPromptList(data)) return { prompt: data }
  if (!isDict(data)) return undefined
  const keys = Object.keys(data)
  const isOnly = (...known: string[]) => keys.every((key) => known.includes(key))
  if (keys.includes('template') && isOnly('type', 'template', 'ice_token', 'sep_token', 'column_token_map'))
    return { prompt_template: data }
  if (!keys.includes('round') || !isOnly('begin', 'round', 'end', 'reserved_roles', 'eos_token_id')) return data as Record<string, unknown>
  return speaks((data as { round: unknown }).round) && isOnly('begin', 'round', 'end')
    ? { prompt_template: { template: data } }
    : { meta_template: data }
}

/** The turns of a meta template say how a role is written; those of a dataset what it says, all of them. */
function speaks(round: unknown): boolean {
  return Array.isArray(round) && round.every((turn) => isDict(turn) && 'prompt' in turn)
}

/** The turns of documents 001 and 002: a role and a prompt, where messages have a content. */
function isPromptList(data: unknown): boolean {
  return (
    Array.isArray(data) &&
    data.length > 0 &&
    data.every((turn) => typeof turn === 'string' || (isDict(turn) && 'role' in turn && 'prompt' in turn)) &&
    data.some((turn) => typeof turn !== 'string')
  )
}

function toValue(session: Session, data: unknown): Value {
  if (Array.isArray(data)) return data.map((item) => toValue(session, item)) as unknown as Value
  if (isDict(data))
    return newDict(
      session,
      Object.entries(data).map(([key, value]): [Value, Value] => [key, toValue(session, value)]),
    )
  return data as Value
}
