import { dictEntries, isDict, isList, type PyValue, parseJson, stringifyJson } from '../../python/index.ts'
import { valueError } from '../../python/python-error.ts'
import { truthy } from '../../python/values/truth.ts'
import type { Kwargs, Value } from '../../python/values/value.ts'
import { toPyValue } from '../to-py-value.ts'
import { newDict } from './dicts.ts'
import type { Session } from './session.ts'

/** Python's `json` module. */
export const toJson = {
  write(session: Session, value: Value, kwargs: Kwargs): string {
    session.measure(value)
    const indent = kwargs?.get('indent') ?? null
    return stringifyJson(toPyValue(value), {
      ensureAscii: truthy(kwargs?.get('ensure_ascii') ?? true),
      sortKeys: truthy(kwargs?.get('sort_keys') ?? false),
      indent: typeof indent === 'number' || typeof indent === 'string' ? indent : null,
    })
  },

  read(session: Session, text: string): Value {
    session.step(text.length >> 6)
    let parsed: PyValue
    try {
      parsed = parseJson(text)
    } catch (error) {
      throw valueError(error instanceof Error ? error.message : String(error))
    }
    return fromPyValue(session, parsed)
  },
}

/** Lists and dicts that can be changed. */
function fromPyValue(session: Session, value: PyValue): Value {
  session.step()
  if (isList(value)) return session.made(value.map((item) => fromPyValue(session, item)))
  if (isDict(value))
    return newDict(
      session,
      dictEntries(value).map(([key, item]) => [key, fromPyValue(session, item)] as const),
    )
  return value
}
