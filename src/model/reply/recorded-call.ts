import { dictGet, isDict, isList, type PyDict, type PyValue } from '../../base/python/index.ts'

/** A call as it was read from a reply: what is scored, shown and recorded. */
export type RecordedCall =
  | {
      name: string
      arguments: PyValue
      /** As the model wrote them, where a server told the call and writing them anew would give something else. */
      arguments_text?: string
    }
  /** What was meant to be a call, and why it is none. */
  | { name?: string; malformed: string; problem: string }
  /** Code for an interpreter. */
  | { code: string }

/** A call whose name and arguments can be compared. */
export type NamedCall = { name: string; arguments: PyDict }

export function isNamed(call: RecordedCall): call is NamedCall {
  return 'arguments' in call && isDict(call.arguments)
}

/** Calls as records keep them; undefined where a value is not a list of calls. */
export function callsOf(value: PyValue | undefined): readonly RecordedCall[] | undefined {
  return isList(value) && value.every(isCall) ? (value as readonly PyValue[] as readonly RecordedCall[]) : undefined
}

function isCall(value: PyValue): boolean {
  if (!isDict(value)) return false
  if (typeof dictGet(value, 'code') === 'string' || typeof dictGet(value, 'malformed') === 'string') return true
  return typeof dictGet(value, 'name') === 'string' && dictGet(value, 'arguments') !== undefined
}
