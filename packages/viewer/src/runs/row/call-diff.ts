import { dictEntries, isList, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { callsOf, isNamed, type NamedCall, type RecordedCall } from '@rolecall/core/internal/reply'
import { isSame } from 'rolecall/internal/evaluation/score/evaluate/compare-calls'

/** An argument of a call, as expected and as made; undefined if a side lacks it. Equal as the evaluator compares them. */
type ArgumentDiff = { name: string; expected: string | undefined; actual: string | undefined; isSame: boolean }

/** A call beside the expected one of the same name; undefined if a side lacks it. */
export type CallDiff = { name: string; expected: NamedCall | undefined; actual: NamedCall | undefined; arguments: readonly ArgumentDiff[] }

/** The calls of an answer beside the expected ones, matched by name in order; undefined if one of them is not a list of calls with arguments. */
export function diffCalls(made: PyValue | undefined, gold: PyValue | undefined): CallDiff[] | undefined {
  const [actual, expected] = [namedCalls(made), namedCalls(gold)]
  if (!actual || !expected) return undefined
  const left = [...actual]
  const pairs = expected.map((one) => {
    const place = left.findIndex(({ name }) => name === one.name)
    return diffCall(one, place < 0 ? undefined : left.splice(place, 1)[0])
  })
  return [...pairs, ...left.map((one) => diffCall(undefined, one))]
}

/** The same for each turn of a chat, whose expected calls are a list of lists; undefined for other values. Turns that were not reached have no calls. */
export function diffTurns(made: PyValue | undefined, gold: PyValue | undefined): CallDiff[][] | undefined {
  if (!isList(gold) || gold.length === 0 || !gold.every(isList) || !isList(made) || !made.every(isList)) return undefined
  const turns = Array.from({ length: Math.max(gold.length, made.length) }, (_, turn) => diffCalls(made[turn] ?? [], gold[turn] ?? []))
  return turns.every((turn) => turn !== undefined) ? turns : undefined
}

function namedCalls(value: PyValue | undefined): readonly NamedCall[] | undefined {
  const calls: readonly RecordedCall[] | undefined = isList(value) ? callsOf(value) : undefined
  return calls?.every(isNamed) ? calls : undefined
}

function diffCall(expected: NamedCall | undefined, actual: NamedCall | undefined): CallDiff {
  const values = (call: NamedCall | undefined) => new Map(call ? dictEntries(call.arguments).map(([name, one]) => [String(name), one]) : [])
  const [wanted, given] = [values(expected), values(actual)]
  const text = (value: PyValue | undefined) => (value === undefined ? undefined : stringifyJson(value, { ensureAscii: false }))
  return {
    name: (expected ?? actual)!.name,
    expected,
    actual,
    arguments: [...new Set([...wanted.keys(), ...given.keys()])].map((name) => {
      const [one, other] = [wanted.get(name), given.get(name)]
      return { name, expected: text(one), actual: text(other), isSame: one !== undefined && other !== undefined && isSame(one, other) }
    }),
  }
}
