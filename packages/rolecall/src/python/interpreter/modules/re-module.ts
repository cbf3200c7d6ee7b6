import {
  dictFromEntries,
  Generator,
  intArgument,
  isInt,
  notUnderstood,
  PythonError,
  Tuple,
  typeError,
  type Value,
  valueError,
} from '@rolecall/core/internal/python'
import { type GuardedMatch, type GuardedPattern, groupNames, guardedPattern, type PatternFlags, replacer } from '../../regex/index.ts'
import { call } from '../call.ts'
import { toMutable } from '../convert.ts'
import type { Session } from '../session.ts'
import { Builtin, type NativeFunction, NativeObject, UserFunction } from '../values.ts'
import { defineModule, native, onText, textOf, unknownOr } from './define-module.ts'

const ignoreCase = 2
const multiline = 8
const dotAll = 16
const verbose = 64

/** The flags of `re` as translated patterns take them. */
function flagsOf(session: Session, bits: number): Partial<PatternFlags> {
  if ((bits & ~(ignoreCase | multiline | dotAll | verbose | 32 | 256)) !== 0)
    throw notUnderstood(session.at, 'these flags of re', 'use re.I, re.M, re.S or re.X')
  return {
    ...(bits & ignoreCase ? { ignoreCase: true } : {}),
    ...(bits & multiline ? { multiline: true } : {}),
    ...(bits & dotAll ? { dotAll: true } : {}),
    ...(bits & verbose ? { verbose: true } : {}),
  } as Partial<PatternFlags>
}

/** `re.Match`. */
class MatchValue extends NativeObject {
  readonly typeName = 're.Match'

  constructor(
    readonly match: GuardedMatch,
    readonly pattern: string,
    readonly text: string,
  ) {
    super()
  }

  #group(key: Value): Value {
    const { groups, text } = this.match
    const number = isInt(key) ? Number(key) : groupNames(this.pattern).indexOf(String(key)) + 1
    if (number === 0 && isInt(key)) return text
    if (number < 1 || number > groups.length) throw new PythonError('IndexError', 'no such group')
    return groups[number - 1] ?? null
  }

  /** In code points. */
  #span(session: Session): readonly [start: number, end: number] {
    const { index, text } = this.match
    session.step((index + text.length) >> 6)
    const start = [...this.text.slice(0, index)].length
    return [start, start + [...text].length]
  }

  override item(_: Session, key: Value): Value {
    return this.#group(key)
  }

  attribute(session: Session, name: string): Value | undefined {
    const { groups } = this.match
    const whole = (args: readonly Value[], read: (span: readonly [start: number, end: number]) => Value) => {
      if (args.length > 0 && args[0] !== 0) throw notUnderstood(session.at, `Match.${name} of a group`, 'use the whole match')
      return read(this.#span(session))
    }
    switch (name) {
      case 'group':
        return native('group(*groups)', (_, args) =>
          args.length < 2 ? this.#group(args[0] ?? 0) : new Tuple(args.map((key) => this.#group(key))),
        )
      case 'groups':
        return native('groups(default=None)', (_, [fallback = null]) => new Tuple(groups.map((group) => group ?? fallback)))
      case 'groupdict':
        return native('groupdict(default=None)', (own, [fallback = null]) =>
          toMutable(
            own,
            dictFromEntries(
              groupNames(this.pattern).flatMap((key, at) =>
                key === undefined ? [] : [[key, groups[at] ?? (fallback as string | null)] as const],
              ),
            ) as Value,
          ),
        )
      case 'start':
        return native('start(group=0, /)', (_, args) => whole(args, ([start]) => start))
      case 'end':
        return native('end(group=0, /)', (_, args) => whole(args, ([, end]) => end))
      case 'span':
        return native('span(group=0, /)', (_, args) => whole(args, (span) => new Tuple([...span])))
      case 'string':
        return this.text
      case 'lastindex': {
        // Groups inside one another close in another order than they open.
        if (/\([^)]*\(/.test(this.pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?!P<)/g, ''))) return undefined
        const last = groups.findLastIndex((group) => group !== undefined)
        return last < 0 ? null : last + 1
      }
      default:
        return undefined
    }
  }
}

type Way = 'search' | 'match' | 'fullmatch'

/** `re.Pattern`. */
class PatternValue extends NativeObject {
  readonly typeName = 're.Pattern'
  readonly #made: { [how in Way]?: GuardedPattern } = {}

  constructor(
    readonly pattern: string,
    readonly flags: Partial<PatternFlags>,
  ) {
    super()
  }

  /** The pattern anywhere, at the start or for the whole of a text; each is compiled when it is first used. */
  as(how: Way): GuardedPattern {
    const source = () => `${inline(this)}\\A(?:${body(this)})${how === 'match' ? '' : '\\Z'}`
    this.#made[how] ??= guardedPattern(how === 'search' ? this.pattern : source(), this.flags)
    return this.#made[how]
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name === 'pattern') return this.pattern
    if (!Object.hasOwn(functions, name)) return undefined
    const { run, parameters } = functions[name]!
    return native(`${name}(${parameters})`, (session, args, _, scope) => unknownOr(args, () => run(session, this, args, scope)))
  }
}

type Run = (session: Session, pattern: PatternValue, args: readonly Value[], scope: Parameters<NativeFunction>[3]) => Value

/** Functions of a pattern, with their parameters. */
const functions: Readonly<Record<string, { parameters: string; run: Run }>> = {
  search: { parameters: 'string', run: (session, pattern, [text]) => first(session, pattern, 'search', textOf(text)) },
  match: { parameters: 'string', run: (session, pattern, [text]) => first(session, pattern, 'match', textOf(text)) },
  fullmatch: { parameters: 'string', run: (session, pattern, [text]) => first(session, pattern, 'fullmatch', textOf(text)) },
  findall: {
    parameters: 'string',
    run: (session, pattern, [text]) =>
      session.made(
        all(session, pattern, textOf(text)).map(({ groups, text: whole }): Value => {
          if (groups.length === 0) return whole
          return groups.length === 1 ? (groups[0] ?? '') : new Tuple(groups.map((group) => group ?? ''))
        }),
      ),
  },
  finditer: {
    parameters: 'string',
    run: (session, pattern, [text]) => {
      const given = textOf(text)
      return new Generator(
        all(session, pattern, given)
          .map((match) => new MatchValue(match, pattern.pattern, given))
          [Symbol.iterator](),
      )
    },
  },
  sub: {
    parameters: 'repl, string, count=0',
    run: (session, pattern, [by, text, count = 0], scope) => {
      const given = textOf(text)
      let left = intArgument(count) > 0 ? intArgument(count) : Number.POSITIVE_INFINITY
      const made = isFunction(by!)
        ? (match: GuardedMatch) => textOf(call(session, by!, [new MatchValue(match, pattern.pattern, given)], undefined, scope))
        : replacer(pattern.pattern, textOf(by))
      let [from, written] = [0, '']
      for (const match of all(session, pattern, given)) {
        if (left-- <= 0) break
        written += given.slice(from, match.index) + made(match)
        from = match.index + match.text.length
      }
      return session.made(written + given.slice(from))
    },
  },
  split: {
    parameters: 'string, maxsplit=0',
    run: (session, pattern, [text, most = 0]) => {
      const given = textOf(text)
      const parts: Value[] = []
      let from = 0
      let left = intArgument(most) > 0 ? intArgument(most) : Number.POSITIVE_INFINITY
      for (const match of all(session, pattern, given)) {
        if (left-- <= 0) break
        parts.push(given.slice(from, match.index), ...match.groups.map((group) => group ?? null))
        from = match.index + match.text.length
      }
      return session.made([...parts, given.slice(from)])
    },
  },
}

function isFunction(value: Value): boolean {
  return value instanceof UserFunction || value instanceof Builtin
}

/** Inline flags apply to the whole pattern, and are allowed only at its start. */
function inline({ pattern }: PatternValue): string {
  return /^\(\?[aiLmsux]+\)/.exec(pattern)?.[0] ?? ''
}

function body(value: PatternValue): string {
  return value.pattern.slice(inline(value).length)
}

function first(session: Session, pattern: PatternValue, how: Way, text: string): Value {
  const found = charged(session, pattern.pattern, text, () => pattern.as(how).first(text))
  return found === undefined ? null : new MatchValue(found, pattern.pattern, text)
}

function all(session: Session, pattern: PatternValue, text: string): GuardedMatch[] {
  return charged(session, pattern.pattern, text, () => pattern.as('search').all(text))
}

/** Fewer steps than the interpreter does in a millisecond: a pause of a busy machine must not end a legitimate function. */
const stepsPerMillisecond = 500

/** Patterns and texts that are shorter together are matched within a few steps, whatever they are. */
const shortMatch = 256

/**
 * Charges a match: by length and, where it may take longer than that, by its time, up to what the slowest pattern takes on such a text. A
 * busy machine thus does not charge a quick pattern with more than it can cost.
 */
function charged<Result>(session: Session, pattern: string, text: string, match: () => Result): Result {
  const size = pattern.length + text.length
  session.step(size >> 6)
  if (size < shortMatch) return match()
  const started = performance.now()
  const found = match()
  session.step(Math.min(Math.round((performance.now() - started) * stepsPerMillisecond), size ** 2 / 256))
  return found
}

/** A function of the module: that of a pattern, with the pattern as first and flags as last parameter. */
function onPattern([name, { parameters, run }]: [string, (typeof functions)[string]]): [string, Builtin] {
  const count = parameters.split(',').length
  const made = native(`${name}(pattern, ${parameters}, flags=0)`, (session, args, _, scope) =>
    unknownOr(args, () => run(session, compiled(session, args[0]!, args[count + 1]), args.slice(1, count + 1), scope)),
  )
  return [name, made]
}

function compiled(session: Session, pattern: Value, flags: Value | undefined): PatternValue {
  if (pattern instanceof PatternValue) {
    if (flags !== undefined && flags !== 0) throw valueError('cannot process flags argument with a compiled pattern')
    return pattern
  }
  if (typeof pattern !== 'string') throw typeError('first argument must be string or compiled pattern')
  const bits = flags === undefined ? 0 : intArgument(flags)
  const known = compiledBefore.get(pattern)
  if (known?.bits === bits) return known.value
  const value = new PatternValue(pattern, flagsOf(session, bits))
  if (compiledBefore.size >= mostCompiled) compiledBefore.clear()
  compiledBefore.set(pattern, { bits, value })
  return value
}

/** As in Python, the same pattern is compiled once. */
const compiledBefore = new Map<string, { bits: number; value: PatternValue }>()
const mostCompiled = 500

/** `re`, with patterns that match in bounded time. */
export const re = defineModule('re', {
  compile: native('compile(pattern, flags=0)', (session, args) => unknownOr(args, () => compiled(session, args[0]!, args[1]))),
  ...Object.fromEntries(Object.entries(functions).map(onPattern)),
  escape: onText('escape', (text) => text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&')),
  I: ignoreCase,
  IGNORECASE: ignoreCase,
  M: multiline,
  MULTILINE: multiline,
  S: dotAll,
  DOTALL: dotAll,
  X: verbose,
  VERBOSE: verbose,
  U: 32,
  UNICODE: 32,
})
