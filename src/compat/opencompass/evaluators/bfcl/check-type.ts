import { isList, type PyValue } from '../../../../base/python/index.ts'
import { answerType, type PythonType, typeOf } from './python-type.ts'

export type WrongType = 'type_error:simple' | 'type_error:nested'

/** What checking a type found: `isOther` where the answer has another type than the documentation, so that values are compared as they are. */
export type TypeCheck = { error?: WrongType; isOther: boolean }

/** Whether a value has the documented type, or else that of the first allowed value; for lists also whether their elements do. */
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

/** Whether all elements have the documented type, or that of the first of an allowed list. What is not a list lets every list through. */
function fits(elements: readonly PyValue[], allowed: PyValue, items: PythonType): boolean {
  return !isList(allowed) || elements.every((element) => checkType(element, allowed, items).error === undefined)
}
