import { dictEntries, dictGet, dictHas, isDict, isList, type PyDict, type PyValue, pyEqual } from '@rolecall/core/internal/python'
import { CannotJudge } from './cannot-judge.ts'

export type ValueError =
  | `value_error:${'string' | 'list/tuple' | 'dict_key' | 'dict_value' | 'list_dict_count' | 'others'}`
  | `${'dict' | 'list_dict'}_checker:unclear`

/** Lower-case text without spaces and light punctuation, with double quotes. */
export function standardise(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}

function standardised(value: PyValue): PyValue {
  return typeof value === 'string' ? standardise(value) : value
}

function isAmong(value: PyValue, allowed: readonly PyValue[]): boolean {
  return allowed.some((one) => pyEqual(value, one))
}

export function checkPlain(value: PyValue, allowed: readonly PyValue[]): ValueError | undefined {
  return isAmong(value, allowed) ? undefined : 'value_error:others'
}

export function checkText(value: string, allowed: readonly PyValue[]): ValueError | undefined {
  const said = standardise(value)
  return allowed.some((one) => typeof one === 'string' && standardise(one) === said) ? undefined : 'value_error:string'
}

export function checkList(value: readonly PyValue[], allowed: readonly PyValue[], where: string): ValueError | undefined {
  const lists = allowed.map((one) => elementsOf(one, where).map(standardised))
  return isAmong(value.map(standardised), lists) ? undefined : 'value_error:list/tuple'
}

/** Allowed dicts hold a list of allowed values for each key. Reports the error of the last dict tried. */
export function checkDict(value: PyValue, allowed: readonly PyValue[], where: string): ValueError | undefined {
  let error: ValueError | undefined = 'dict_checker:unclear'
  for (const one of allowed) {
    if (one === '') continue
    error = dictError(value, one, where)
    if (error === undefined) return undefined
  }
  return error
}

function dictError(value: PyValue, allowed: PyValue, where: string): ValueError | undefined {
  if (!isDict(value)) throw new CannotJudge('AttributeError', where, 'an element that is not a dict is compared with dicts')
  const error = firstUnknown(value, allowed, where)
  if (!isDict(allowed)) throw new CannotJudge('AttributeError', where, 'an allowed value is not a dict')
  // A missing key takes precedence over a wrong value.
  const isMissing = dictEntries(allowed).some(([key, values]) => !dictHas(value, key) && !mayBeLeftOut(values, where))
  return isMissing ? 'value_error:dict_key' : error
}

/** The first key that is unknown or has a disallowed value. */
function firstUnknown(value: PyDict, allowed: PyValue, where: string): ValueError | undefined {
  for (const [key, said] of dictEntries(value)) {
    if (!contains(allowed, key, where)) return 'value_error:dict_key'
    if (!isDict(allowed)) throw new CannotJudge('TypeError', where, 'an allowed value is not a dict')
    const values = elementsOf(dictGet(allowed, key)!, where).map(standardised)
    if (!isAmong(standardised(said), values)) return 'value_error:dict_value'
  }
  return undefined
}

export function checkListOfDicts(value: readonly PyValue[], allowed: readonly PyValue[], where: string): ValueError | undefined {
  let error: ValueError | undefined = 'list_dict_checker:unclear'
  for (const one of allowed) {
    if (value.length !== lengthOf(one, where)) {
      error = 'value_error:list_dict_count'
      continue
    }
    // Two empty lists match without any comparison.
    error = undefined
    for (const [index, element] of value.entries()) {
      error = checkDict(element, [itemAt(one, index, where)], where)
      if (error !== undefined) break
    }
    if (error === undefined) return undefined
  }
  return error
}

/** Whether `""` is an allowed value for a parameter or key. */
export function mayBeLeftOut(allowed: PyValue, where: string): boolean {
  return contains(allowed, '', where)
}

/** Python's `in`. */
function contains(container: PyValue, wanted: string, where: string): boolean {
  if (typeof container === 'string') return container.includes(wanted)
  if (isList(container)) return isAmong(wanted, container)
  if (isDict(container)) return dictHas(container, wanted)
  throw new CannotJudge('TypeError', where, 'an allowed value is neither a list nor a dict')
}

/** Python's `len`. */
function lengthOf(value: PyValue, where: string): number {
  if (typeof value === 'string') return [...value].length
  if (isList(value)) return value.length
  if (isDict(value)) return dictEntries(value).length
  throw new CannotJudge('TypeError', where, 'an allowed value is not a list')
}

/** Python's `value[index]`. */
function itemAt(value: PyValue, index: number, where: string): PyValue {
  if (typeof value === 'string') return [...value][index]!
  if (isList(value)) return value[index]!
  throw new CannotJudge('KeyError', where, 'an allowed value is a dict where a list is wanted')
}

function elementsOf(value: PyValue, where: string): PyValue[] {
  return Array.from({ length: lengthOf(value, where) }, (_, index) => itemAt(value, index, where))
}
