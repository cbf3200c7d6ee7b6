import { dictGet, isDict, isList, type PyDict, type PyValue } from '../base/python/index.ts'

/** A call from a reply as it is scored, shown and recorded. */
export type RecordedCall =
  | {
      name: string
      arguments: PyValue
      /** As the model wrote them, if a server parsed the call and serializing them again would differ. */
      arguments_text?: string
    }
  /** A malformed call, and what is wrong with it. */
  | { name?: string; malformed: string; problem: string }
  /** Code for an interpreter. */
  | { code: string }

/** A call whose name and arguments can be compared. */
export type NamedCall = { name: string; arguments: PyDict }

export function isNamed(call: RecordedCall): call is NamedCall {
  return 'arguments' in call && isDict(call.arguments)
}

/** The calls in a record; undefined if the value is not a list of calls. */
export function callsOf(value: PyValue | undefined): readonly RecordedCall[] | undefined {
  return isList(value) && value.every(isCall) ? (value as readonly PyValue[] as readonly RecordedCall[]) : undefined
}

function isCall(value: PyValue): boolean {
  if (!isDict(value)) return false
  if (typeof dictGet(value, 'code') === 'string' || typeof dictGet(value, 'malformed') === 'string') return true
  return typeof dictGet(value, 'name') === 'string' && dictGet(value, 'arguments') !== undefined
}
