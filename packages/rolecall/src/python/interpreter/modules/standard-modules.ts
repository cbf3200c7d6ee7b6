import {
  add,
  isInt,
  JsonSyntaxError,
  type Kwargs,
  notUnderstood,
  PythonError,
  parseJson,
  positive,
  pyFloat,
  stringifyJson,
  truthy,
  typeError,
  type Value,
  valueError,
  wholeNumber,
} from '@rolecall/core/internal/python'
import { exp, log } from '../../library/libm.ts'
import { builtins } from '../builtins.ts'
import { call } from '../call.ts'
import { FieldDefault } from '../classes.ts'
import { deepCopy, isMutableDict, itemsOf, newDict, sameKey, setItem, shallowCopy } from '../containers.ts'
import { toMutable } from '../convert.ts'
import { pairsOf } from '../methods.ts'
import type { Session } from '../session.ts'
import { Builtin, FileValue, type ModuleValue, NameRef, Unknown } from '../values.ts'
import { csv } from './csv-module.ts'
import { defineModule, native, numberOf, textOf, unknownOr } from './define-module.ts'
import { difflib } from './difflib-module.ts'
import { itertools } from './itertools-module.ts'
import { os, osPath, pathlib, sys } from './os-modules.ts'
import { re } from './re-module.ts'
import { statistics } from './statistics-module.ts'

/** The part of Python's standard library that configs and functions use. Nothing reads the machine: no environment, no clock, no disk outside the root. */
export function standardModule(name: string): ModuleValue | undefined {
  modules ??= makeModules()
  return modules.get(name)
}

// Created lazily: the built-in functions and this table refer to each other.
let modules: ReadonlyMap<string, ModuleValue> | undefined

function makeModules(): ReadonlyMap<string, ModuleValue> {
  const copy = defineModule('copy', {
    deepcopy: native('deepcopy(x)', (session, args) => deepCopy(session, args[0]!)),
    copy: native('copy(x)', (session, args) => shallowCopy(session, args[0]!)),
  })
  const string = defineModule('string', {
    ascii_uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    ascii_lowercase: 'abcdefghijklmnopqrstuvwxyz',
    ascii_letters: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    digits: '0123456789',
    hexdigits: '0123456789abcdefABCDEF',
    punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    whitespace: ' \t\n\r\v\f',
  })
  // A ConfigDict is a dict with its keys as attributes, as all dicts of configs are here.
  const mmengine = ['mmengine', 'mmengine.config'].map((name) => defineModule(name, { ConfigDict: builtins.get('dict')! }))
  const dataclasses = defineModule('dataclasses', {
    field: native('field(*, default=None, default_factory=None)', (_, __, kwargs) => {
      return new FieldDefault(kwargs?.get('default'), kwargs?.get('default_factory'))
    }),
  })
  const all = [
    copy,
    csv,
    difflib,
    statistics,
    dataclasses,
    makeCollections(),
    functools,
    itertools,
    json,
    math,
    os,
    osPath,
    defineModule('posixpath', Object.fromEntries(osPath.attributes)),
    pathlib,
    re,
    string,
    sys,
    ...mmengine,
  ]
  return new Map(all.map((made) => [made.name, made]))
}

const makeCollections = () =>
  defineModule('collections', {
    OrderedDict: builtins.get('dict')!,
    defaultdict: native('defaultdict(default_factory=None, iterable=(), /, **kwargs)', (session, [factory = null, given], kwargs) => {
      const made = newDict(session, [...(given === undefined ? [] : pairsOf(session, given)), ...(kwargs ?? [])])
      if (factory !== null) session.factories.set(made, factory)
      return made
    }),
    Counter: native('Counter(iterable=None, /)', (session, [items = null]) => count(session, items)),
  })

/** A `Counter` of items, or of a dict's counts. */
function count(session: Session, items: Value): Value {
  const counts = newDict(session)
  session.counters.add(counts)
  if (isMutableDict(items)) for (const [key, number] of items) setItem(session, counts, key, number)
  else
    for (const item of items === null ? [] : itemsOf(session, items))
      setItem(session, counts, item, add(counts.get(sameKey(session, counts, item)) ?? 0, 1))
  return counts
}

const functools = defineModule('functools', {
  reduce: native('reduce(function, iterable, initial=None, /)', (session, [run, items, start], _, scope) => {
    const [first, ...rest] = start === undefined ? itemsOf(session, items!) : [start, ...itemsOf(session, items!)]
    if (first === undefined) throw typeError('reduce() of empty iterable with no initial value')
    return rest.reduce((total, item) => session.made(call(session, run!, [total, item], undefined, scope)), first)
  }),
  partial: native('partial(func, /, *args, **kwargs)', (_, [run, ...given], known) => {
    // If only the name of a class is known, `partial` of it is that name.
    if (run instanceof NameRef || run instanceof Unknown) return run
    return new Builtin('partial', (session, args, kwargs, scope) =>
      call(session, run!, [...given, ...args], new Map([...(known ?? []), ...(kwargs ?? [])]), scope),
    )
  }),
})

/** A function of floats. What has no value for a number raises an exception, as in Python. */
const toFloat = (signature: string, run: (...numbers: number[]) => number): Builtin =>
  native(signature, (_, args) => {
    const numbers = args.map(numberOf)
    const result = run(...numbers)
    if (numbers.every(Number.isFinite) && !Number.isFinite(result)) {
      if (Number.isNaN(result) || numbers.includes(0)) throw valueError('math domain error')
      throw new PythonError('OverflowError', 'math range error')
    }
    return pyFloat(result)
  })

const toInt = (name: string, run: (number: number) => number): Builtin =>
  native(`${name}(x, /)`, (_, [value]) => (isInt(value) ? positive(value) : wholeNumber(run(numberOf(value)))))

const math = defineModule('math', {
  pi: Math.PI,
  e: Math.E,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
  floor: toInt('floor', Math.floor),
  ceil: toInt('ceil', Math.ceil),
  trunc: toInt('trunc', Math.trunc),
  exp: toFloat('exp(x, /)', exp),
  log: toFloat('log(x, base=None, /)', (number, base) => (base === undefined ? log(number) : log(number) / log(base))),
  log10: toFloat('log10(x, /)', Math.log10),
  log2: toFloat('log2(x, /)', Math.log2),
  pow: toFloat('pow(x, y, /)', (base, exponent) => base ** exponent),
  sqrt: toFloat('sqrt(x, /)', Math.sqrt),
  fabs: toFloat('fabs(x, /)', Math.abs),
  isfinite: native('isfinite(x, /)', (_, [value]) => Number.isFinite(numberOf(value))),
  isnan: native('isnan(x, /)', (_, [value]) => Number.isNaN(numberOf(value))),
  isinf: native('isinf(x, /)', (_, [value]) => Math.abs(numberOf(value)) === Number.POSITIVE_INFINITY),
  isclose: native('isclose(a, b, *, rel_tol=1e-9, abs_tol=0)', (_, [first, second], kwargs) => {
    const [a, b] = [numberOf(first), numberOf(second)]
    const tolerance = (name: string, byDefault: number) => numberOf(kwargs?.get(name) ?? byDefault)
    const allowed = Math.max(tolerance('rel_tol', 1e-9) * Math.max(Math.abs(a), Math.abs(b)), tolerance('abs_tol', 0))
    return a === b || (Math.abs(a - b) <= allowed && Number.isFinite(a) && Number.isFinite(b))
  }),
})

const json = defineModule('json', {
  dumps: native('dumps(obj, **kwargs)', (session, args, kwargs) =>
    unknownOr(args, () => session.made(writeJson(session, args[0]!, kwargs))),
  ),
  loads: native('loads(s)', (session, args) => unknownOr(args, () => readJson(session, textOf(args[0])))),
  load: native('load(fp)', (session, [file]) => {
    if (file instanceof Unknown) return file
    if (!(file instanceof FileValue)) throw typeError('json.load needs an open file')
    return readJson(session, file.rest())
  }),
})

function writeJson(session: Session, value: Value, kwargs: Kwargs): string {
  session.measure(value)
  const {
    indent = null,
    ensure_ascii: ensureAscii = true,
    sort_keys: sortKeys = false,
    separators = null,
    ...others
  } = Object.fromEntries(kwargs ?? [])
  const [other] = Object.keys(others)
  if (other !== undefined) throw notUnderstood(session.at, `"${other}" of json.dumps`, 'leave it out')
  const [item, key] = separators === null ? [] : itemsOf(session, separators)
  return stringifyJson(value, {
    ensureAscii: truthy(ensureAscii),
    sortKeys: truthy(sortKeys),
    indent: typeof indent === 'number' || typeof indent === 'string' ? indent : null,
    separators: separators === null ? null : [textOf(item), textOf(key)],
  })
}

function readJson(session: Session, text: string): Value {
  session.step(text.length >> 2)
  try {
    return toMutable(session, parseJson(text))
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new PythonError('JSONDecodeError', error.message) : error
  }
}
