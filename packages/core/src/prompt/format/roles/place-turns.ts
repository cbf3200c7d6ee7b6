import type { Line } from '../adapt/script.ts'
import { asUser, emptyTurn, isResult, isSystem, joined, type Report, withText, wrapped } from './ladder-lines.ts'
import type { FoldedLine, Situation } from './place-systems.ts'

/** Turns in a sequence that the template writes: neighbours of one role are joined, and empty turns stand where it needs another speaker. */
export function placeTurns(lines: readonly FoldedLine[], situation: Situation): Line[] {
  const { roles, report, hasTools, isPlain } = situation
  const placed: FoldedLine[] = []
  const writes = (chat: string) => !isPlain && roles.writes(chat, hasTools)
  for (const line of lines) {
    const before = placed.at(-1)
    if (line.role === 'user' && before?.role === 'user') {
      const mayStand = !line.isFolded && !before.isFolded && writes('U U') && writes('U A U U A U')
      if (mayStand) placed.push(line)
      else placed[placed.length - 1] = joinedTurns(before, line, report)
      continue
    }
    if (line.role === 'user' && before !== undefined && isResult(before)) {
      placeAfterResult(line, before, placed, situation)
      continue
    }
    if (line.role === 'user' && before?.calls?.length && !writes('U C U A U') && writes('U C E U A U')) {
      report.notes.push({
        code: 'turn-inserted',
        where: line.path,
        text: 'the template wants a result here, so an empty answer follows the call',
      })
      placed.push(emptyTurn('assistant', line.path), line)
      continue
    }
    if (line.role === 'assistant' && before?.role === 'assistant' && !before.calls?.length && !writes('U A A U')) {
      placed[placed.length - 1] = joinedTurns(before, line, report)
      continue
    }
    if (line.role === 'assistant' && (before === undefined || isSystem(before)) && !writes(before === undefined ? 'A U' : 'S A U')) {
      report.notes.push({
        code: 'turn-inserted',
        where: line.path,
        text: 'the template begins with the user, so an empty user turn comes first',
      })
      placed.push(emptyTurn('user', line.path))
    }
    placed.push(line)
  }
  return placed.map(({ isFolded: _, ...line }) => line)
}

function joinedTurns(first: FoldedLine, second: FoldedLine, { notes }: Report): FoldedLine {
  if (!first.isFolded && !second.isFolded)
    notes.push({
      code: 'neighbours-merged',
      where: second.path,
      text: `the template wants turns to alternate, so what "${second.role}" says was joined`,
    })
  const { isFolded: _, ...whole }: FoldedLine = joined(first, second)
  return first.isFolded && second.isFolded ? { ...whole, isFolded: true } : whole
}

/** A user's text directly after a result: as it is, after an empty answer, or as part of the result. */
function placeAfterResult(line: FoldedLine, before: Line, placed: FoldedLine[], { roles, report, hasTools, isPlain }: Situation): void {
  const writes = (between: string) =>
    !isPlain && roles.writes(`U C T${between} U`, hasTools) && roles.writes(`U C T${between} U A U`, hasTools)
  if (writes('')) {
    placed.push(line)
    return
  }
  if (writes(' E')) {
    report.notes.push({
      code: 'turn-inserted',
      where: line.path,
      text: 'the template writes no user turn after a result, so an empty answer stands between them',
    })
    placed.push(emptyTurn('assistant', line.path), line)
    return
  }
  report.notes.push({
    code: 'role-folded',
    where: line.path,
    text: 'the template writes no user turn after a result, so it is part of the result, as <user>',
  })
  const said = line.isFolded ? line : asUser(line, wrapped(line, 'user', report.policy))
  const { path } = before
  placed[placed.length - 1] = { ...withText(before, joined(before, { ...said, role: before.role }).content ?? []), path }
}
