import { PromptError } from '../../../base/errors/prompt-error.ts'
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
} from '../../../base/python/index.ts'
import { checkArguments } from '../../../model/constrain/check-arguments.ts'
import { isNamed, type NamedCall, type RecordedCall } from '../../../model/reply/recorded-call.ts'
import { readCalls } from '../../../prompt/conversation/read-message.ts'

export type CompareOptions = {
  /** `exact`: the same arguments; `schema`: those that the tool's schema allows; `ignore`: any. */
  arguments: 'exact' | 'schema' | 'ignore'
  /** Whether the order of calls matters. */
  order: 'any' | 'same'
}

/** How calls compare with those expected: `reason` says what is wrong. `hasNames`: the right tools are called, whatever they are given. */
export type ComparedCalls = { isRight: boolean; hasNames: boolean; reason?: string }

/** A call that is expected: of a tool, or code. */
type ExpectedCall = NamedCall | { code: string }

/** Compares the calls of a reply with those that are expected; none expected is right where none is made. */
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
  // What is told is how the call differs that comes nearest: one of the same tool.
  const nearest = options.order === 'same' ? calls[unmatched]! : (calls.find((call) => nameOf(call) === nameOf(other)) ?? calls[unmatched]!)
  return wrong(problemOf(nearest, other) ?? `${nameOf(other)} is expected more often than it is called so`)
}

/** What is wrong with a call where this one is expected; undefined where it is right. */
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

/** As JSON: 1 is 1.0, and neither is true. */
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

/** The first expected call that no call is left for, however calls are paired; -1 where all are made. */
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

/** Calls as a row has them: in OpenAI's shape or bare, as a list or as JSON; arguments too may be JSON as text. */
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
