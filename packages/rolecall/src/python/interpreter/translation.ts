import { isInt, plainText, typeError, type Value, valueError } from '@rolecall/core/internal/python'
import { isMutableDict, type MutableDict, newDict } from './containers.ts'
import type { Session } from './session.ts'
import { Unknown } from './values.ts'

/** Each character by what the table has for its number: another number, a text, or None for none. */
export function translated(text: string, table: MutableDict): string {
  const characters = [...text].map((character) => {
    const by = table.get(character.codePointAt(0)! as never)
    if (by === undefined) return character
    if (by === null) return ''
    return isInt(by) ? String.fromCodePoint(Number(by)) : plainText(by as string)
  })
  return characters.join('')
}

/** `str.maketrans`: a dict, or two texts of one length, and a third with what is left out. */
export function makeTranslation(session: Session, args: readonly Value[]): Value {
  const [first, second = '', third = ''] = args
  const code = (key: Value) => (typeof key === 'string' ? key.codePointAt(0)! : key)
  const unknown = args.find((arg) => arg instanceof Unknown)
  if (unknown !== undefined) return unknown
  if (isMutableDict(first!))
    return newDict(
      session,
      [...first].map(([key, value]) => [code(key as Value), value] as const),
    )
  if (typeof first !== 'string' || typeof second !== 'string' || typeof third !== 'string')
    throw typeError('if you give only one argument to maketrans it must be a dict')
  const [from, to] = [[...first], [...second]]
  if (from.length !== to.length) throw valueError('the first two maketrans arguments must have equal length')
  return newDict(session, [
    ...from.map((one, index) => [code(one), code(to[index]!)] as const),
    ...[...third].map((one) => [code(one), null] as const),
  ])
}
