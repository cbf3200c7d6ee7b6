import type { Line } from '../adapt/script.ts'
import { asOneText, asUser, isResult, joined, type Report, withText, wrapped } from './ladder-lines.ts'
import type { TemplateRoles } from './template-roles.ts'

/**
 * Puts results behind the calls that they answer, in the order of the calls: clients send the results of parallel calls as they finish,
 * and templates that write no ids show the first result as that of the first call. Results without a call become the user's.
 */
export function placeResults(lines: readonly Line[], roles: TemplateRoles, isNative: boolean, report: Report): Line[] {
  const placed: Line[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    at++
    if (!line.calls?.length) {
      placed.push(isResult(line) ? orphan(line, report) : line)
      continue
    }
    const next = lines.findIndex(({ role }, index) => index >= at && role === 'assistant')
    const end = next < 0 ? lines.length : next
    placed.push(line, ...answers(line, lines.slice(at, end), { roles, isNative, report }))
    at = end
  }
  return placed
}

type Context = { roles: TemplateRoles; isNative: boolean; report: Report }
type Answered = { line: Line; call: number }

function answers(asking: Line, after: readonly Line[], { roles, isNative, report }: Context): Line[] {
  const { results, others, sequence, isBetween } = matched(asking, after, report)
  const [first] = results
  if (first === undefined) return sequence
  const hasIds = isNative && roles.labelsResults
  const sorted = [...results].sort((a, b) => a.call - b.call)
  // Ids that are replaced say nothing to who compares the prompt with the request, so the order does.
  const keepsOrder = hasIds && !roles.replacesIds
  const isSorted = keepsOrder || results.every((result, index) => result === sorted[index])
  const isKept = !isBetween || (isNative && others.every(({ role }) => roles.writes(`U C ${role === 'user' ? 'U' : 'S'} T A U`, true)))
  const where = first.line.path
  if (!isSorted)
    report.notes.push({
      code: 'results-reordered',
      where,
      text: 'the results of parallel calls were put in the order of the calls, since the format does not write their ids beside them',
    })
  if (!isKept) report.notes.push({ code: 'results-reordered', where, text: 'results were put directly behind their calls' })
  const ordered = keepsOrder ? results : sorted
  const lines = isSorted && isKept ? sequence : [...ordered.map(({ line }) => line), ...others]
  return hasIds ? lines : labelled(asking, ordered, lines, report)
}

/** Where results are recognized by their order and an earlier call has none, a result says which call it answers. */
function labelled({ calls = [] }: Line, results: readonly Answered[], lines: readonly Line[], report: Report): Line[] {
  if (results.every(({ call }, index) => call === index)) return [...lines]
  return lines.map((line) => {
    const result = results.find((answered) => answered.line === line)
    const call = result === undefined ? undefined : calls[result.call]
    if (result === undefined || call === undefined) return line
    report.notes.push({
      code: 'result-labelled',
      where: line.path,
      text: `an earlier call has no result, so this one says that it answers call ${result.call + 1}, of ${call.name}`,
    })
    return withText(line, wrapped(line, `result_of_call_${result.call + 1}`, report.policy))
  })
}

type Matched = { results: Answered[]; others: Line[]; sequence: Line[]; isBetween: boolean }

/** Results by the calls they answer, and whether other messages stand before one of them. */
function matched({ calls = [] }: Line, after: readonly Line[], report: Report): Matched {
  const results: Answered[] = []
  const others: Line[] = []
  let isBetween = false
  const extra = new Map<number, Line[]>()
  for (const line of after) {
    const call = isResult(line) ? callOf(line, calls, results) : -1
    if (call < 0) {
      others.push(isResult(line) ? orphan(line, report) : line)
      continue
    }
    isBetween ||= others.length > 0
    if (results.some((result) => result.call === call)) extra.set(call, [...(extra.get(call) ?? []), line])
    else results.push({ line, call })
  }
  // A second result of one call would be taken for that of the next.
  const whole = results.map(({ line, call }) => ({ line: joinedResults(line, extra.get(call) ?? [], report), call }))
  const isOther = (line: Line) => !isResult(line) || callOf(line, calls, []) < 0
  const sequence = after.flatMap((line, index): Line[] => {
    if (isOther(line)) return others.slice(after.slice(0, index).filter(isOther).length).slice(0, 1)
    const result = results.findIndex((answered) => answered.line === line)
    return result < 0 ? [] : [whole[result]!.line]
  })
  return { results: whole, others, sequence, isBetween }
}

function joinedResults(line: Line, more: readonly Line[], { notes }: Report): Line {
  return more.reduce((first, second) => {
    notes.push({ code: 'neighbours-merged', where: second.path, text: 'two results of one call were joined' })
    return { ...joined(first, second), path: first.path }
  }, line)
}

/** The number of the call that a result answers: by its id, or, without one, the first that has no result. */
function callOf({ callId }: Line, calls: NonNullable<Line['calls']>, results: readonly Answered[]): number {
  if (callId !== undefined) return calls.findIndex(({ id }) => id === callId)
  return calls.findIndex((_, index) => !results.some(({ call }) => call === index))
}

function orphan(line: Line, report: Report): Line {
  report.notes.push({ code: 'role-folded', where: line.path, text: 'a result without its call is said by the user' })
  return asUser(line, wrapped(asOneText(line), 'tool_result', report.policy))
}
