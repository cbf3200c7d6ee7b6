import { dictEntries, dictGet, dictHas, dictKeys, isDict, isList, type PyDict, type PyValue, pyFloat } from '@rolecall/core/internal/python'
import type { NamedCall } from '@rolecall/core/internal/reply'
import { CannotJudge } from './cannot-judge.ts'
import { checkDict, checkList, checkListOfDicts, checkPlain, checkText, mayBeLeftOut, type ValueError } from './check-value.ts'
import { answerType, documentedType, type PythonType, typeOf } from './python-type.ts'

export type BfclError =
  | `simple_function_checker:${'wrong_func_name' | 'missing_required' | 'unexpected_param' | 'missing_optional' | 'wrong_count'}`
  | WrongType
  | ValueError

/** What is wrong with a call: the leaderboard's error name and a message. */
export type CallProblem = { type: BfclError; problem: string }

/**
 * Compares one call with one answer, `{ function: { parameter: [allowed values] } }`, by the rules of the Berkeley Function Calling
 * Leaderboard. Stops at the first error; undefined means that the call matches.
 */
export function checkCall(
  call: NamedCall,
  documentation: PyDict | undefined,
  answer: PyValue,
  nameOf: (name: string) => string,
): CallProblem | undefined {
  const allowed = isDict(answer) ? dictEntries(answer)[0]?.[1] : undefined
  if (allowed === undefined) throw new CannotJudge('IndexError', 'ground_truth', 'an answer names no function')
  if (documentation === undefined) throw new CannotJudge('TypeError', 'functions', `the answer's function is not documented`)
  const documented = dictGet(documentation, 'name')
  const parameters = dictGet(documentation, 'parameters')
  const properties = isDict(parameters) ? dictGet(parameters, 'properties') : undefined
  const required = isDict(parameters) ? dictGet(parameters, 'required') : undefined
  const where = `functions › ${String(documented)}`
  if (typeof documented !== 'string' || !isDict(properties) || !isList(required) || !isDict(allowed)) {
    throw new CannotJudge('KeyError', where, 'the function has no name, no parameters.properties or no parameters.required')
  }
  const wanted = nameOf(documented)
  if (call.name !== wanted) {
    return { type: 'simple_function_checker:wrong_func_name', problem: `it calls ${call.name}, and ${wanted} is expected` }
  }
  const missing = required.find((name) => typeof name === 'string' && !dictHas(call.arguments, name))
  if (missing !== undefined) return { type: 'simple_function_checker:missing_required', problem: `${String(missing)} is missing` }
  for (const [name, value] of dictEntries(call.arguments)) {
    if (!dictHas(properties, name) || !dictHas(allowed, name)) {
      return { type: 'simple_function_checker:unexpected_param', problem: `${name} is not expected` }
    }
    const type = checkParameter(value, dictGet(properties, name)!, dictGet(allowed, name)!, `${where}.${name}`)
    if (type !== undefined) return { type, problem: `${name}: ${wording(type)}` }
  }
  const left = dictKeys(allowed).find((name) => !dictHas(call.arguments, name) && !mayBeLeftOut(dictGet(allowed, name)!, where))
  return left === undefined ? undefined : { type: 'simple_function_checker:missing_optional', problem: `${left} is missing` }
}

function checkParameter(given: PyValue, details: PyValue, allowed: PyValue, where: string): WrongType | ValueError | undefined {
  const named = isDict(details) ? dictGet(details, 'type') : undefined
  const expected = documentedType(named)
  if (expected === undefined) throw unknownType(named, where)
  const items = expected === 'list' ? itemType(details as PyDict, where) : undefined
  if (!isList(allowed)) throw new CannotJudge('TypeError', where, 'its allowed values are not a list')
  // An integer is accepted where a float is expected.
  const value = named === 'float' && typeOf(given) === 'int' ? pyFloat(Number(given)) : given
  const { error, isOther } = checkType(value, allowed, expected, items)
  if (error !== undefined) return error
  if (isOther) return checkPlain(value, allowed)
  if (expected === 'dict') return checkDict(value, allowed, where)
  if (expected === 'list' && items === 'dict') return checkListOfDicts(value as readonly PyValue[], allowed, where)
  if (expected === 'str') return checkText(value as string, allowed)
  if (expected === 'list') return checkList(value as readonly PyValue[], allowed, where)
  return checkPlain(value, allowed)
}

function itemType(details: PyDict, where: string): PythonType {
  const items = dictGet(details, 'items')
  const named = isDict(items) ? dictGet(items, 'type') : undefined
  const type = documentedType(named)
  if (type === undefined) throw unknownType(named, `${where}.items`)
  return type
}

/** Python looks the type up in a dict, which rejects lists and dicts as keys. */
function unknownType(named: PyValue | undefined, where: string): CannotJudge {
  const isUnusable = isList(named) || isDict(named)
  return new CannotJudge(
    isUnusable ? 'TypeError' : 'KeyError',
    where,
    named === undefined ? 'it has no type' : `its type ${JSON.stringify(named)} is not known`,
  )
}

function wording(type: WrongType | ValueError): string {
  if (type === 'type_error:simple') return 'its value has another type than documented'
  if (type === 'type_error:nested') return 'an element has another type than documented'
  if (type === 'value_error:dict_key') return 'a key is missing, or not expected'
  if (type === 'value_error:list_dict_count') return 'it has more or fewer elements than every allowed list'
  return 'its value is none of those allowed'
}

type WrongType = 'type_error:simple' | 'type_error:nested'

/** Result of a type check; `isOther` if the answer's type differs from the documented one, so that values are compared as they are. */
type TypeCheck = { error?: WrongType; isOther: boolean }

/** Whether a value has the documented type, or else that of the first allowed value; also checks the elements of lists. */
function checkType(value: PyValue, allowed: readonly PyValue[], expected: PythonType, items?: PythonType): TypeCheck {
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
