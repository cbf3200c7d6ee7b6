import { isList, type PyValue } from '../../../../base/python/index.ts'
import { answerType, type PythonType, typeOf } from './python-type.ts'

export type WrongType = 'type_error:simple' | 'type_error:nested'

/** Result of a type check; `isOther` if the answer's type differs from the documented one, so that values are compared as they are. */
export type TypeCheck = { error?: WrongType; isOther: boolean }

/** Whether a value has the documented type, or else that of the first allowed value; also checks the elements of lists. */
export function checkType(value: PyValue, allowed: readonly PyValue[], expected: PythonType, items?: PythonType): TypeCheck {
  const type = answerType(allowed)
  const isOther = type !== undefined && type !== expected
  let error: WrongType | undefined
  if (typeOf(value) === expected) {
    if (items === undefined || allowed.some((one) => fits(value as readonly PyValue[], one, items))) return { isOther }
    error = 'type_error:nested'
  }
  if (type !== undefined && typeOf(value) === type) return error ? { error, isOther: true } : { isOther: true }
  return { error: 'type_error:simple', isOther }
}

/** Whether all elements have the documented type, or that of the first element of an allowed list. Without an allowed list, accepts any list. */
function fits(elements: readonly PyValue[], allowed: PyValue, items: PythonType): boolean {
  return !isList(allowed) || elements.every((element) => checkType(element, allowed, items).error === undefined)
}
