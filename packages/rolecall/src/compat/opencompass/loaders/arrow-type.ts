import { dictEntries, dictFromEntries, dictGet, isList, type PyDict, PyFloat, type PyValue, pyFloat } from '@rolecall/core/internal/python'

/** The Arrow type of a column's values, as far as dataset rows need it. */
export type ArrowType = 'null' | 'bool' | 'int' | 'float' | 'text' | { list: ArrowType } | { struct: ReadonlyMap<string, ArrowType> }

/** The type of one value; undefined types inside lists and dicts unify to undefined, which `unify` propagates. */
export function arrowType(value: PyValue): ArrowType {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? mixed : 'text'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'bigint') return 'int'
  if (value instanceof PyFloat) return 'float'
  if (isList(value)) return { list: value.map(arrowType).reduce((a, b) => unify(a, b) ?? mixed, 'null' as ArrowType) }
  return { struct: new Map(dictEntries(value).map(([key, one]) => [key, arrowType(one)])) }
}

/** Represents values that Arrow cannot hold: a list of mixed types, a lone surrogate; unifies with nothing. */
const mixed: ArrowType = { struct: new Map([['', { list: 'null' }]]) }

/** The type that holds values of both; undefined if there is none. */
export function unify(a: ArrowType, b: ArrowType): ArrowType | undefined {
  if (a === mixed || b === mixed) return undefined
  if (a === b || b === 'null') return hasMixed(a) ? undefined : a
  if (a === 'null') return hasMixed(b) ? undefined : b
  if ((a === 'int' && b === 'float') || (a === 'float' && b === 'int')) return 'float'
  if (typeof a === 'string' || typeof b === 'string') return undefined
  if ('list' in a) {
    const item = 'list' in b ? unify(a.list, b.list) : undefined
    return item === undefined ? undefined : { list: item }
  }
  if (!('struct' in b)) return undefined
  const fields = new Map(a.struct)
  for (const [key, type] of b.struct) {
    const before = fields.get(key)
    const both = before === undefined ? (hasMixed(type) ? undefined : type) : unify(before, type)
    if (both === undefined) return undefined
    fields.set(key, both)
  }
  return { struct: fields }
}

function hasMixed(type: ArrowType): boolean {
  if (typeof type === 'string') return false
  if (type === mixed) return true
  return 'list' in type ? hasMixed(type.list) : [...type.struct.values()].some(hasMixed)
}

/** A value as a column of this type returns it: ints as floats in a float column, structs with all their keys. */
export function convert(value: PyValue, type: ArrowType): PyValue {
  if (value === null || type === 'text' || type === 'int' || type === 'bool' || type === 'null') return value
  if (type === 'float') return typeof value === 'number' ? pyFloat(value) : typeof value === 'bigint' ? pyFloat(Number(value)) : value
  if ('list' in type) return simple.has(type.list) ? value : (value as readonly PyValue[]).map((item) => convert(item, type.list))
  const dict = value as PyDict
  return dictFromEntries([...type.struct].map(([key, field]) => [key, convert(dictGet(dict, key) ?? null, field)]))
}

const simple = new Set<ArrowType>(['text', 'int', 'bool', 'null'])
