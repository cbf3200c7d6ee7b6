import { PythonError, valueError } from '../python-error.ts'
import { PyFloat } from '../values/data.ts'
import { entriesOf, equals, getKey, makeDict } from '../values/dict.ts'
import { repr } from '../values/repr.ts'
import { listOf } from '../values/sequence.ts'
import { plainText } from '../values/text.ts'
import { type Dict, DictView, numeric, type Range, Tuple, type Value } from '../values/value.ts'
import { intArgument, type Method, positional } from './method.ts'

/** Methods that templates may not call, since they would change the input. */
export const listMutators = new Set(['append', 'clear', 'pop', 'reverse', 'insert', 'sort', 'extend', 'remove'])
export const dictMutators = new Set(['clear', 'pop', 'popitem', 'setdefault', 'update'])

export const listMethods: ReadonlyMap<string, Method<readonly Value[]>> = new Map<string, Method<readonly Value[]>>([
  ['count', count((self) => self)],
  ['index', index((self) => self, 'list')],
  ['copy', noArguments('copy', (self: readonly Value[]) => [...self])],
])

/** Lists that a template made and may change; input never is among them. */
const own = new WeakSet<readonly Value[]>()

/** Allows a template to change a list that it has just made. */
export function changeable(list: Value[]): readonly Value[] {
  own.add(list)
  return list
}

export function mayChange(list: readonly Value[]): boolean {
  return own.has(list)
}

/** Methods of lists that may be changed; `sort` is not among them. */
export const listChanges: ReadonlyMap<string, Method<Value[]>> = new Map<string, Method<Value[]>>([
  ['append', change('append', 1, (self, item) => void self.push(item!))],
  ['extend', change('extend', 1, (self, items) => void self.push(...listOf(items!)))],
  ['insert', change('insert', 2, (self, at, item) => void self.splice(intArgument(at!), 0, item!))],
  ['clear', change('clear', 0, (self) => void self.splice(0))],
  ['reverse', change('reverse', 0, (self) => void self.reverse())],
  [
    'pop',
    (_, self, args, kwargs) => {
      positional('pop', 0, 1, args, kwargs)
      if (self.length === 0) throw new PythonError('IndexError', 'pop from empty list')
      const at = args[0] === undefined ? -1 : intArgument(args[0])
      const [item] = at < -self.length || at >= self.length ? [] : self.splice(at, 1)
      if (item === undefined) throw new PythonError('IndexError', 'pop index out of range')
      return item
    },
  ],
  [
    'remove',
    (_, self, args, kwargs) => {
      positional('remove', 1, 1, args, kwargs)
      const at = self.findIndex((item) => equals(item, args[0]!))
      if (at < 0) throw valueError('list.remove(x): x not in list')
      self.splice(at, 1)
      return null
    },
  ],
])

function change(name: string, count: number, run: (self: Value[], ...args: (Value | undefined)[]) => void): Method<Value[]> {
  return (counter, self, args, kwargs) => {
    positional(name, count, count, args, kwargs)
    run(self, ...args)
    counter.step(self.length >> 4)
    return null
  }
}

export const tupleMethods: ReadonlyMap<string, Method<Tuple>> = new Map<string, Method<Tuple>>([
  ['count', count((self) => self.items)],
  ['index', index((self) => self.items, 'tuple')],
])

export const rangeMethods: ReadonlyMap<string, Method<Range>> = new Map<string, Method<Range>>([
  ['count', count((self) => listOf(self))],
  ['index', index((self) => listOf(self), 'range')],
])

export const dictMethods: ReadonlyMap<string, Method<Dict>> = new Map<string, Method<Dict>>([
  [
    'get',
    (_, self, args, kwargs) => {
      positional('get', 1, 2, args, kwargs)
      const found = getKey(self, args[0]!)
      // None is a value like any other.
      return found === undefined ? (args[1] ?? null) : found
    },
  ],
  ['keys', noArguments('keys', (self: Dict) => new DictView(self, 'keys'))],
  ['values', noArguments('values', (self: Dict) => new DictView(self, 'values'))],
  ['items', noArguments('items', (self: Dict) => new DictView(self, 'items'))],
  ['copy', noArguments('copy', (self: Dict) => makeDict(entriesOf(self)))],
  [
    'fromkeys',
    (_, __, args, kwargs) => {
      positional('fromkeys', 1, 2, args, kwargs)
      return makeDict(listOf(args[0]!).map((key) => [key, args[1] ?? null] as const))
    },
  ],
])

type Numeric = boolean | number | bigint | PyFloat

export const intMethods: ReadonlyMap<string, Method<Numeric>> = new Map<string, Method<Numeric>>([
  [
    'bit_length',
    noArguments('bit_length', (self: Numeric) => BigInt(numeric(self)).toString(2).replace(/^-/, '').replace(/^0$/, '').length),
  ],
  ['bit_count', noArguments('bit_count', (self: Numeric) => BigInt(numeric(self)).toString(2).split('1').length - 1)],
  ['conjugate', noArguments('conjugate', (self: Numeric) => numeric(self))],
  ['as_integer_ratio', noArguments('as_integer_ratio', (self: Numeric) => new Tuple([numeric(self), 1]))],
])

export const floatMethods: ReadonlyMap<string, Method<Numeric>> = new Map<string, Method<Numeric>>([
  ['is_integer', noArguments('is_integer', (self: Numeric) => Number.isInteger(numeric(self)))],
  ['conjugate', noArguments('conjugate', (self: Numeric) => self)],
])

/** Attributes of ranges that are not methods. */
export function rangeAttribute({ start, stop, step }: Range, name: string): Value | undefined {
  return name === 'start' ? start : name === 'stop' ? stop : name === 'step' ? step : undefined
}

/** Attributes of numbers that are not methods. */
export function numberAttribute(value: Numeric, name: string): Value | undefined {
  const isInt = !(value instanceof PyFloat) && (typeof value !== 'number' || Number.isInteger(value))
  if (name === 'real') return isInt ? numeric(value) : value
  if (name === 'imag') return isInt ? 0 : new PyFloat(0)
  if (!isInt) return undefined
  if (name === 'numerator') return numeric(value)
  return name === 'denominator' ? 1 : undefined
}

function noArguments<Self>(name: string, run: (self: Self) => Value): Method<Self> {
  return (_, self, args, kwargs) => {
    positional(name, 0, 0, args, kwargs)
    return run(self)
  }
}

function count<Self>(items: (self: Self) => readonly Value[]): Method<Self> {
  return (_, self, args, kwargs) => {
    positional('count', 1, 1, args, kwargs)
    return items(self).filter((item) => equals(item, args[0]!)).length
  }
}

function index<Self>(items: (self: Self) => readonly Value[], type: string): Method<Self> {
  return (_, self, args, kwargs) => {
    positional('index', 1, 3, args, kwargs)
    const all = items(self)
    const clamp = (given: Value | undefined, fallback: number) => {
      if (given === undefined) return fallback
      const at = intArgument(given)
      return at < 0 ? Math.max(0, at + all.length) : at
    }
    const from = clamp(args[1], 0)
    const to = Math.min(clamp(args[2], all.length), all.length)
    for (let at = from; at < to; at++) if (equals(all[at]!, args[0]!)) return at
    if (type === 'list') throw valueError(`${plainText(repr(args[0]!))} is not in list`)
    if (type === 'range') throw valueError(`${plainText(repr(args[0]!))} is not in range`)
    throw valueError(`${type}.index(x): x not in ${type}`)
  }
}
