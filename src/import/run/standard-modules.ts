import { typeError } from '../../jinja/python-error.ts'
import { positional } from '../../jinja/runtime/bind.ts'
import { numeric } from '../../jinja/values/equals.ts'
import { typeName } from '../../jinja/values/type-name.ts'
import { isNumber, Tuple, type Value } from '../../jinja/values/value.ts'
import { pyFloat } from '../../python/index.ts'
import { notUnderstood } from '../import-error.ts'
import { builtins, generator } from './builtins.ts'
import { deepCopy, shallowCopy } from './copy.ts'
import { itemsOf } from './items.ts'
import { fileOf, folderOf, insideRoot, joinPath, normalizePath, splitEnding } from './paths.ts'
import type { Session } from './session.ts'
import { toJson } from './to-json-value.ts'
import { Builtin, FileValue, ModuleValue, type Native, Unknown } from './values.ts'

/** What configs use of Python's own modules. Nothing here looks at the machine: no environment, no clock, no disk outside the root. */
export function standardModule(name: string): ModuleValue | undefined {
  modules ??= makeModules()
  return modules.get(name)
}

// Made when first asked for: the built-in functions and this table know each other.
let modules: ReadonlyMap<string, ModuleValue> | undefined

function makeModules(): ReadonlyMap<string, ModuleValue> {
  const path = module('os.path', {
    join: native('join', (session, args) => unknownOr(args, () => session.made(joinPath(...args.map(text))))),
    dirname: onText('dirname', folderOf),
    basename: onText('basename', fileOf),
    normpath: onText('normpath', normalizePath),
    abspath: onText('abspath', normalizePath),
    realpath: onText('realpath', normalizePath),
    expanduser: onText('expanduser', (given) => given),
    splitext: native('splitext', (_, args) => unknownOr(args, () => new Tuple(splitEnding(text(args[0]!))))),
    exists: native('exists', exists),
    isfile: native('isfile', exists),
    sep: '/',
  })
  const environ = module('os.environ', {
    // A config that asks for a variable says what it means without it.
    get: native('get', (_, args) => args[1] ?? null),
  })
  const os = module('os', {
    path,
    environ,
    getenv: native('getenv', (_, args) => args[1] ?? null),
    getcwd: native('getcwd', () => '.'),
    sep: '/',
    linesep: '\n',
  })
  const chain = new Builtin(
    'chain',
    (session, args) => generator(args.flatMap((arg) => [...itemsOf(session, arg)])),
    new Map([
      [
        'from_iterable',
        native('from_iterable', (session, args) => generator(itemsOf(session, args[0]!).flatMap((arg) => [...itemsOf(session, arg)]))),
      ],
    ]),
  )
  return new Map(
    [
      os,
      path,
      module('copy', {
        deepcopy: native('deepcopy', (session, args) => deepCopy(session, args[0]!)),
        copy: native('copy', (session, args) => shallowCopy(session, args[0]!)),
      }),
      module('itertools', {
        chain,
        product: native('product', product),
        combinations: native('combinations', (session, args) => generator(choose(session, args, false))),
        permutations: native('permutations', (session, args) => generator(choose(session, args, true))),
      }),
      module('json', {
        dumps: native('dumps', (session, args, kwargs) => unknownOr(args, () => session.made(toJson.write(session, args[0]!, kwargs)))),
        loads: native('loads', (session, args) => unknownOr(args, () => toJson.read(session, text(args[0]!)))),
        load: native('load', (session, [file]) => {
          if (file instanceof Unknown) return file
          if (!(file instanceof FileValue)) throw typeError('json.load needs an open file')
          return toJson.read(session, file.text)
        }),
      }),
      module('math', {
        pi: Math.PI,
        e: Math.E,
        inf: Number.POSITIVE_INFINITY,
        nan: Number.NaN,
        floor: native('floor', (_, args) => Math.floor(number(args[0]!))),
        ceil: native('ceil', (_, args) => Math.ceil(number(args[0]!))),
        exp: native('exp', (_, args) => pyFloat(Math.exp(number(args[0]!)))),
        log: native('log', (_, args) =>
          pyFloat(args[1] === undefined ? Math.log(number(args[0]!)) : Math.log(number(args[0]!)) / Math.log(number(args[1]))),
        ),
        log10: native('log10', (_, args) => pyFloat(Math.log10(number(args[0]!)))),
        pow: native('pow', (_, args) => pyFloat(number(args[0]!) ** number(args[1]!))),
        sqrt: native('sqrt', (_, args) => pyFloat(Math.sqrt(number(args[0]!)))),
        log2: native('log2', (_, args) => pyFloat(Math.log2(number(args[0]!)))),
      }),
      module('string', {
        ascii_uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
        ascii_lowercase: 'abcdefghijklmnopqrstuvwxyz',
        ascii_letters: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
        digits: '0123456789',
        punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
      }),
      module('collections', { OrderedDict: builtins.get('dict')! }),
    ].map((made) => [made.name, made]),
  )
}

function module(name: string, attributes: Readonly<Record<string, Value>>): ModuleValue {
  return new ModuleValue(name, new Map(Object.entries(attributes)))
}

function native(name: string, run: Native): Builtin {
  return new Builtin(name, run)
}

function onText(name: string, run: (text: string) => string): Builtin {
  return native(name, (session, args, kwargs) => {
    positional(name, 1, 1, args, kwargs)
    return unknownOr(args, () => session.made(run(text(args[0]!))))
  })
}

function unknownOr(args: readonly Value[], run: () => Value): Value {
  return args.find((arg) => arg instanceof Unknown) ?? run()
}

function text(value: Value): string {
  if (typeof value !== 'string') throw typeError(`expected str, bytes or os.PathLike object, not ${typeName(value)}`)
  return value
}

function number(value: Value): number {
  if (!isNumber(value)) throw typeError(`must be real number, not ${typeName(value)}`)
  return Number(numeric(value))
}

function exists(session: Session, [path]: readonly Value[]): Value {
  if (path instanceof Unknown) return path
  const inside = insideRoot(text(path!))
  return inside !== undefined && session.readText(inside) !== undefined
}

function product(session: Session, args: readonly Value[], kwargs: Parameters<Native>[2]): Value {
  const repeat = kwargs?.get('repeat') ?? 1
  if (typeof repeat !== 'number' || repeat > 100) throw notUnderstood(session.at, 'this "repeat"', 'write a small number')
  const lists = Array.from({ length: repeat }, () => args.map((arg) => itemsOf(session, arg))).flat()
  let rows: Value[][] = [[]]
  for (const list of lists) {
    const made = rows.length * list.length
    session.step(made)
    session.allocate(null, made * (rows[0]?.length ?? 1))
    rows = rows.flatMap((row) => list.map((item) => [...row, item]))
  }
  return generator(rows.map((row) => new Tuple(row)))
}

/** Choices of so many items, in Python's order. */
function choose(session: Session, args: readonly Value[], inAnyOrder: boolean): Value[] {
  const items = itemsOf(session, args[0]!)
  const size = args[1] === undefined || args[1] === null ? items.length : number(args[1])
  const found: Value[] = []
  const pick = (chosen: readonly number[]): void => {
    session.step()
    if (chosen.length === size) {
      session.allocate(null, size + 1)
      found.push(new Tuple(chosen.map((index) => items[index]!)))
      return
    }
    const from = inAnyOrder || chosen.length === 0 ? 0 : chosen.at(-1)! + 1
    for (let index = from; index < items.length; index++) if (!inAnyOrder || !chosen.includes(index)) pick([...chosen, index])
  }
  if (size >= 0 && size <= Math.min(items.length, 200)) pick([])
  return found
}
