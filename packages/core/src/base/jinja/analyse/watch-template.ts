import { getAttribute, getItem } from '../../python/methods/attributes.ts'
import { typeError } from '../../python/python-error.ts'
import { calculate } from '../../python/values/arithmetic.ts'
import type { PyValue } from '../../python/values/data.ts'
import { entriesOf } from '../../python/values/dict.ts'
import { listOf } from '../../python/values/sequence.ts'
import { Text } from '../../python/values/text.ts'
import { Generator, isDictValue, isListValue, isStr, stringOf, typeName, Undefined, type Value } from '../../python/values/value.ts'
import { chatDialect } from '../dialect.ts'
import type { Filter } from '../filters/filter.ts'
import { filters, tests } from '../filters/filters.ts'
import { callValue, PyFunction } from '../runtime/runtime.ts'
import type { JinjaExpression, JinjaStatement } from '../syntax/jinja-ast.ts'
import { compileTemplate } from '../template.ts'
import { TemplateError } from '../template-error.ts'
import { mapExpressions } from './syntax-nodes.ts'

/** What a template did with the strings of its input, by their paths. */
export type Watched = {
  /** The rendered text; undefined if the template failed. */
  text: string | undefined
  /** Strings that it read. */
  used: ReadonlySet<string>
  /** Strings that it treated as a list: a loop over them, an index, or `selectattr`. */
  asList: ReadonlySet<string>
}

/**
 * Compiles a template whose renders report what it read. It follows llama.cpp's engine where that decides what a template supports: a
 * string cannot be looped over, a missing value has no keys and adds nothing to a string, and lists can be changed.
 */
export function watchTemplate(source: string): (variables: Readonly<Record<string, PyValue>>) => Watched {
  let used = new Set<string>()
  let asList = new Set<string>()
  const seen = (value: Value): Value => {
    const path = pathOf(value)
    if (path !== undefined) used.add(path)
    return value
  }
  const deeply = (value: Value): Value => {
    seen(value)
    if (isListValue(value)) for (const item of value) deeply(item)
    else if (isDictValue(value)) for (const [, item] of entriesOf(value)) deeply(item)
    return value
  }
  const listed = (value: Value): Value => {
    const path = pathOf(value)
    if (path !== undefined) asList.add(path)
    return seen(value)
  }
  const watching: Record<string, PyFunction> = {
    [names.seen]: new PyFunction('seen', (_, [value]) => seen(value!)),
    [names.filtered]: new PyFunction('filtered', (_, [value, name]) => {
      const filter = stringOf(name)!
      if (filter === 'selectattr') listed(value!)
      if (isStr(value!) && !stringFilters.has(filter)) throw typeError(`'${typeName(value)}' object has no filter '${filter}'`)
      return seen(value!)
    }),
    [names.iterate]: new PyFunction('iterate', (_, [value]) => {
      listed(value!)
      if (isStr(value!)) throw typeError(`'${typeName(value)}' object cannot be looped over`)
      return value instanceof Undefined ? [] : value!
    }),
    [names.add]: new PyFunction('add', (_, [left, right]) => {
      if (isMissing(left!) && isStr(right!)) return right
      return isMissing(right!) && isStr(left!) ? left : calculate('+', left!, right!)
    }),
    [names.change]: new PyFunction('change', (runtime, [list, name, ...args]) => {
      if (!isListValue(list)) return callValue(runtime, getAttribute(list!, stringOf(name)!), args, undefined)
      const items = list as Value[]
      if (stringOf(name) === 'append') items.push(args[0]!)
      else return items.splice(args.length === 0 ? -1 : Number(args[0]), 1)[0] ?? null
      return null
    }),
    [names.member]: new PyFunction('member', (_, [object, key, isAttribute]) => {
      if (object instanceof Undefined) return object
      if (typeof key === 'number') listed(object!)
      return seen(isAttribute === true ? getAttribute(object!, String(key instanceof Text ? key.value : key)) : getItem(object!, key!))
    }),
  }
  const byAttribute =
    (name: 'selectattr' | 'rejectattr'): Filter =>
    (runtime, input, args, kwargs) => {
      // With two arguments, llama.cpp takes the first for the name of a test.
      if (args.length === 2 && !tests.has(stringOf(args[0]) ?? '')) throw typeError(`unknown test '${stringOf(args[0])}'`)
      return filters.get(name)!(runtime, input, args, kwargs)
    }
  const watchedFilters = new Map<string, Filter>([
    ['selectattr', byAttribute('selectattr')],
    ['rejectattr', byAttribute('rejectattr')],
    // Filters that are lazy in Python give lists there.
    [
      'tojson',
      (runtime, input, args, kwargs) =>
        filters.get('tojson')!(runtime, deeply(input instanceof Generator ? listOf(input) : input), args, kwargs),
    ],
    ['string', (runtime, input, args, kwargs) => filters.get('string')!(runtime, isListValue(input) ? deeply(input) : input, args, kwargs)],
  ])
  const template = compileTemplate(source, { dialect: { ...chatDialect, filters: watchedFilters }, rewrite: watchedBody })
  return (variables) => {
    used = new Set()
    asList = new Set()
    const origins = (name: string) => ({ by: 'message', path: name }) as const
    try {
      // Variables are typed as data; the runtime also accepts its own callable objects.
      const { text } = template.renderPieces({ ...variables, ...(watching as unknown as Record<string, PyValue>) }, origins)
      return { text, used, asList }
    } catch (error) {
      if (error instanceof TemplateError) return { text: undefined, used, asList }
      throw error
    }
  }
}

/** The filters that llama.cpp's engine has for strings; those for lists fail. */
const stringFilters: ReadonlySet<string> = new Set(
  'capitalize count d default float format indent int join length lower replace safe slice string title tojson trim upper'.split(' '),
)

/** Names that no template can contain. */
const names = { seen: ' seen', filtered: ' filtered', iterate: ' iterate', member: ' member', add: ' add', change: ' change' } as const

function watchedBody(body: readonly JinjaStatement[]): JinjaStatement[] {
  return mapExpressions(
    body,
    (expression) => {
      switch (expression.kind) {
        case 'name':
          return ownNames.has(expression.name) ? expression : call(names.seen, expression, [expression])
        case 'filter':
          if (expression.input === undefined) return expression
          return { ...expression, input: call(names.filtered, expression, [expression.input, constant(expression.name, expression)]) }
        case 'attribute':
          return call(names.member, expression, [expression.object, constant(expression.name, expression), constant(true, expression)])
        case 'item':
          return expression.key.kind === 'slice' ? expression : call(names.member, expression, [expression.object, expression.key])
        case 'binary':
          return expression.operator === '+' ? call(names.add, expression, [expression.left, expression.right]) : expression
        case 'call': {
          const callee = unwrapped(expression.callee)
          if (callee.kind !== 'attribute' || (callee.name !== 'append' && callee.name !== 'pop')) return { ...expression, callee }
          return call(names.change, expression, [callee.object, constant(callee.name, expression), ...expression.args])
        }
        default:
          return expression
      }
    },
    (statement) =>
      statement.kind === 'for' ? { ...statement, iterable: call(names.iterate, statement.iterable, [statement.iterable]) } : statement,
  )
}

/** What is called stays as written: a method, a macro, or a function. */
function unwrapped(callee: JinjaExpression): JinjaExpression {
  if (callee.kind !== 'call' || callee.callee.kind !== 'name') return callee
  const [first, key] = callee.args
  if (callee.callee.name === names.seen) return first!
  if (callee.callee.name !== names.member || callee.args.length !== 3 || key?.kind !== 'const') return callee
  return { kind: 'attribute', object: first!, name: String(key.value), start: callee.start, end: callee.end }
}

/** Names that the compiler treats specially. */
const ownNames: ReadonlySet<string> = new Set(['loop', 'caller', 'varargs', 'kwargs'])

/** llama.cpp adds a missing value to a string as if it were empty. */
function isMissing(value: Value): boolean {
  return value === null || value instanceof Undefined
}

function constant(value: string | boolean, { start, end }: { start: number; end: number }): JinjaExpression {
  return { kind: 'const', value, start, end }
}

function call(name: string, { start, end }: { start: number; end: number }, args: JinjaExpression[]): JinjaExpression {
  return { kind: 'call', callee: { kind: 'name', name, start, end }, args, kwargs: [], start, end }
}

/** The path of a string that is one of the input's, as a whole. */
function pathOf(value: Value): string | undefined {
  if (!(value instanceof Text)) return undefined
  const [piece, ...others] = value.pieces
  return others.length === 0 && piece?.text === value.value ? piece.source.path : undefined
}
