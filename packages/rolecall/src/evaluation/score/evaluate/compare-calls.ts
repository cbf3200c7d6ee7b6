import { checkArguments } from '@rolecall/core/internal/constrain'
import { readCalls } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
  pyEqual,
  stringifyJson,
} from '@rolecall/core/internal/python'
import { isNamed, type NamedCall, type RecordedCall } from '@rolecall/core/internal/reply'

export type CompareOptions = {
  /** `exact`: the same arguments; `schema`: those that the tool's schema allows; `ignore`: any. */
  arguments: 'exact' | 'schema' | 'ignore'
  /** Whether the order of calls matters. */
  order: 'any' | 'same'
}

/** How calls compare with the expected ones: `reason` says what is wrong. `hasNames`: the right tools are called, with any arguments. */
export type ComparedCalls = { isRight: boolean; hasNames: boolean; reason?: string }

/** An expected call: of a tool, or code. */
type ExpectedCall = NamedCall | { code: string }

/** Compares the calls of a reply with the expected ones; if none are expected, only no call is right. */
export function compareCalls(
  calls: readonly RecordedCall[],
  wanted: PyValue,
  tools: readonly PyDict[],
  options: CompareOptions,
): ComparedCalls {
  const expected = expectedCalls(wanted)
  const hasNames = sameNames(calls.map(nameOf), expected.map(nameOf), options.order)
  const wrong = (reason: string): ComparedCalls => ({ isRight: false, hasNames, reason })
  const broken = calls.find((call) => 'malformed' in call)
  if (broken && 'malformed' in broken) return wrong(`a call cannot be read: ${broken.problem}`)
  if (expected.length === 0)
    return calls.length === 0 ? { isRight: true, hasNames } : wrong(`it calls ${listed(calls)}, and no call is expected`)
  if (calls.length === 0) return wrong(`it calls nothing, and ${listed(expected)} is expected`)
  if (calls.length !== expected.length) {
    return wrong(
      `it makes ${count(calls.length)} (${listed(calls)}), and ${count(expected.length)} ${expected.length === 1 ? 'is' : 'are'} expected (${listed(expected)})`,
    )
  }
  const problemOf = (call: RecordedCall, other: ExpectedCall) => differs(call, other, tools, options)
  const unmatched =
    options.order === 'same'
      ? expected.findIndex((one, index) => problemOf(calls[index]!, one) !== undefined)
      : firstUnmatched(calls, expected, problemOf)
  if (unmatched < 0) return { isRight: true, hasNames }
  const other = expected[unmatched]!
  // Reports the difference from the nearest call: one of the same tool.
  const nearest = options.order === 'same' ? calls[unmatched]! : (calls.find((call) => nameOf(call) === nameOf(other)) ?? calls[unmatched]!)
  return wrong(problemOf(nearest, other) ?? `${nameOf(other)} is expected more often than it is called so`)
}

/** The difference of a call from the expected one; undefined if it is right. */
function differs(
  call: RecordedCall,
  expected: ExpectedCall,
  tools: readonly PyDict[],
  { arguments: how }: CompareOptions,
): string | undefined {
  if (nameOf(call) !== nameOf(expected)) return `it calls ${nameOf(call)}, and ${nameOf(expected)} is expected`
  if ('code' in expected || 'code' in call) {
    const isSame = 'code' in expected && 'code' in call && expected.code.trim() === call.code.trim()
    return isSame || how === 'ignore' ? undefined : 'its code is another'
  }
  if (!isNamed(call)) return `the arguments of ${nameOf(call)} are not a JSON object`
  if (how === 'ignore') return undefined
  return how === 'schema' ? schemaProblem(call, tools) : argumentsProblem(call, expected)
}

function argumentsProblem({ name, arguments: given }: NamedCall, { arguments: expected }: NamedCall): string | undefined {
  for (const [key, value] of dictEntries(expected)) {
    if (!dictHas(given, key)) return `${name}: ${key} is missing`
    const said = dictGet(given, key)!
    if (!isSame(said, value)) return `${name}: ${key} is ${shown(said)}, and ${shown(value)} is expected`
  }
  const other = dictEntries(given).find(([key]) => !dictHas(expected, key))
  return other && `${name}: ${other[0]} is not expected`
}

function schemaProblem({ name, arguments: given }: NamedCall, tools: readonly PyDict[]): string | undefined {
  const tool = tools.find((one) => dictGet(one, 'name') === name)
  if (!tool) return `${name} is none of the tools`
  const [problem] = checkArguments(given, dictGet(tool, 'parameters') ?? dictGet(tool, 'input_schema'))
  return problem && `${name}: ${problem.path === '' ? '' : `${problem.path} `}${problem.problem}`
}

/** Compares as JSON: 1 equals 1.0, and neither equals true. */
export function isSame(one: PyValue, other: PyValue): boolean {
  if (typeof one === 'boolean' || typeof other === 'boolean') return one === other
  if (isList(one) && isList(other)) return one.length === other.length && one.every((item, index) => isSame(item, other[index]!))
  if (isDict(one) && isDict(other)) {
    const entries = dictEntries(one)
    return (
      entries.length === dictEntries(other).length &&
      entries.every(([key, item]) => dictHas(other, key) && isSame(item, dictGet(other, key)!))
    )
  }
  return pyEqual(one, other)
}

/** The first expected call without a match in a maximum pairing; -1 if all match. */
function firstUnmatched(
  calls: readonly RecordedCall[],
  expected: readonly ExpectedCall[],
  problemOf: (call: RecordedCall, expected: ExpectedCall) => string | undefined,
): number {
  const takenBy = new Map<number, number>()
  const find = (wanted: number, tried: Set<number>): boolean => {
    for (const [index, call] of calls.entries()) {
      if (tried.has(index) || problemOf(call, expected[wanted]!) !== undefined) continue
      tried.add(index)
      const holder = takenBy.get(index)
      if (holder !== undefined && !find(holder, tried)) continue
      takenBy.set(index, wanted)
      return true
    }
    return false
  }
  return expected.findIndex((_, wanted) => !find(wanted, new Set()))
}

/** Calls in the shapes that rows use: OpenAI's or bare, as a list or as JSON; arguments may also be JSON text. */
export function expectedCalls(given: PyValue): readonly ExpectedCall[] {
  const value = typeof given === 'string' ? jsonOf(given) : given
  if (!isList(value)) throw badExpected('what is expected is not a list of calls')
  return readCalls(value.map(bareCode), 'the expected calls').map(({ name, arguments: text, code }): ExpectedCall => {
    if (code !== undefined) return { code }
    const read = typeof text === 'string' ? (text.trim() === '' ? {} : jsonOf(text)) : text
    if (isDict(read)) return { name, arguments: read }
    throw badExpected(`the arguments of ${name} are not an object`)
  })
}

function bareCode(call: PyValue): PyValue {
  const code = isDict(call) ? dictGet(call, 'code') : undefined
  return typeof code === 'string' ? { type: 'code_interpreter', code_interpreter: { input: code } } : call
}

function jsonOf(text: string): PyValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badExpected(`it is not JSON (${error.message})`)
  }
}

function badExpected(problem: string): PromptError {
  return new PromptError('bad-expected-calls', {
    where: 'the expected calls',
    problem,
    fix: 'write [{ "name": …, "arguments": { … } }, …], or [] where no call is expected',
  })
}

function sameNames(said: readonly string[], wanted: readonly string[], order: CompareOptions['order']): boolean {
  const arranged = (names: readonly string[]) => (order === 'any' ? [...names].sort() : names).join('\0')
  return said.length === wanted.length && arranged(said) === arranged(wanted)
}

function nameOf(call: RecordedCall | ExpectedCall): string {
  return 'code' in call ? 'the interpreter' : (call.name ?? '?')
}

function listed(calls: readonly (RecordedCall | ExpectedCall)[]): string {
  return calls.map(nameOf).join(', ')
}

function count(number: number): string {
  return `${number} ${number === 1 ? 'call' : 'calls'}`
}

function shown(value: PyValue): string {
  const text = stringifyJson(value, { ensureAscii: false })
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
