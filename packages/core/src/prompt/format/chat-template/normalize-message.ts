import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyDict, type PyValue, parseJson } from '../../../base/python/index.ts'

/**
 * A message as serving stacks pass it to a template: tool-call arguments that are JSON text are parsed, and null content becomes empty
 * text. Unparsable arguments stay unchanged. The input is not changed.
 */
export function normalizeMessage(message: PyDict): { message: PyDict; changed: readonly ('arguments' | 'content')[] } {
  const changed = new Set<'arguments' | 'content'>()
  const calls = dictGet(message, 'tool_calls')
  const read = isList(calls) ? calls.map((call) => readCall(call, changed)) : undefined
  if (dictGet(message, 'content') === null) changed.add('content')
  if (changed.size === 0) return { message, changed: [] }
  const entries = dictEntries(message).map(([key, value]): [string, PyValue] => {
    if (key === 'tool_calls' && read !== undefined) return [key, read]
    return [key, key === 'content' && value === null ? '' : value]
  })
  return { message: dictFromEntries(entries), changed: [...changed] }
}

function readCall(call: PyValue, changed: Set<'arguments' | 'content'>): PyValue {
  const inner = isDict(call) ? dictGet(call, 'function') : undefined
  if (!isDict(call) || !isDict(inner)) return call
  const given = dictGet(inner, 'arguments')
  if (typeof given !== 'string') return call
  const value = readObject(given)
  if (value === undefined) return call
  changed.add('arguments')
  const called = dictFromEntries(dictEntries(inner).map(([key, old]) => [key, key === 'arguments' ? value : old] as const))
  return dictFromEntries(dictEntries(call).map(([key, old]) => [key, key === 'function' ? called : old] as const))
}

function readObject(text: string): PyDict | undefined {
  try {
    const value = parseJson(text)
    return isDict(value) ? value : undefined
  } catch {
    return undefined
  }
}
