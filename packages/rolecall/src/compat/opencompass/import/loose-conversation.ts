import { mlcConfigSchema } from '@rolecall/core/internal/format'
import { isListValue, type Value } from '@rolecall/core/internal/python'
import { isMutableDict, type MutableDict, newDict } from '../../../python/interpreter/containers.ts'
import type { Session } from '../../../python/interpreter/session.ts'

type Names = ReadonlyMap<string, Value>

/** The keys of document 003 that make a file one about a conversation template. */
export const templateKeys: readonly string[] = ['conv_template', 'conv_config']

/** Settings of an mlc-chat-config.json, whose names other files may use for something else. */
export const mlcKeys: ReadonlySet<string> = new Set(Object.keys(mlcConfigSchema.shape))

/** Whether names at the top level are those of document 003. */
export function hasTemplate(names: Names): boolean {
  return templateKeys.some((key) => isTemplate(names.get(key)))
}

function isTemplate(value: Value | undefined): boolean {
  return typeof value === 'string' || (value !== undefined && isMutableDict(value))
}

/** A model of the settings of an mlc-chat-config.json, written at the top level. */
export function modelOfTemplate(session: Session, names: Names): MutableDict {
  const settings = [...names].filter(([name]) => mlcKeys.has(name))
  const id = names.get('local_id')
  return newDict(session, [
    ['abbr', typeof id === 'string' ? id : 'model'],
    ['mlc_config', newDict(session, settings)],
  ])
}

/** Messages as clients send them, at the top level. */
export function looseMessages(names: Names): readonly Value[] | undefined {
  const messages = names.get('messages')
  if (messages === undefined || !isListValue(messages) || messages.length === 0) return undefined
  const list = [...messages]
  return list.every((message) => isMutableDict(message) && message.has('role')) ? list : undefined
}

/** A conversation as a dataset of one row. */
export function datasetOfMessages(session: Session, messages: readonly Value[], tools: Value | undefined): MutableDict {
  const last = messages.at(-1)
  const isAnswered = last !== undefined && isMutableDict(last) && last.get('role') === 'assistant'
  const dict = (...entries: [Value, Value][]) => newDict(session, entries)
  const hasTools = tools !== undefined && isListValue(tools) && tools.length > 0
  const template = dict(['messages', [dict(['expand_column', 'messages'])]], ['format_variables', false])
  return dict(
    ['abbr', 'messages'],
    ['rows', [dict(['messages', [...messages]], ...(hasTools ? [['tools', tools] as [Value, Value]] : []))]],
    ...(hasTools ? [['reader_cfg', dict(['tools_column', 'tools'])] as [Value, Value]] : []),
    ['infer_cfg', dict(['prompt_template', template], ['inferencer', dict(['type', isAnswered ? 'PPLOnlyInferencer' : 'GenInferencer'])])],
  )
}

/** The model of a conversation without one: its format supports tools and code, and it runs everywhere. */
export function modelOfMessages(session: Session): MutableDict {
  return newDict(session, [
    ['abbr', 'tiny'],
    ['type', 'embedded'],
    ['format', 'internlm2'],
  ])
}
