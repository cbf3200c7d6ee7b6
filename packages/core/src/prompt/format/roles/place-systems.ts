import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Line } from '../adapt/script.ts'
import { asUser, isResult, isSystem, joined, type Report, withFields, wrapped } from './ladder-lines.ts'
import type { TemplateRoles } from './template-roles.ts'

/** What the rungs depend on. `isPlain`: only users and answers are written in the template's own way. */
export type Situation = { roles: TemplateRoles; report: Report; hasTools: boolean; isPlain: boolean }

/** A line that was folded: it belongs to the turns of the user beside it. */
export type FoldedLine = Line & { isFolded?: true }

/** System and developer messages, each in the first way that the template writes at its place. */
export function placeSystems(lines: readonly Line[], situation: Situation): FoldedLine[] {
  const end = lines.findIndex((line) => !isSystem(line))
  const count = end < 0 ? lines.length : end
  const lead = placeLead(lines.slice(0, count), count === lines.length, situation)
  return placeLater(lead, lines.slice(count), situation)
}

const letterOf = ({ role }: Line) => (role === 'developer' ? 'D' : 'S')

/** The messages before all others. */
function placeLead(lead: readonly Line[], isAll: boolean, { roles, report, hasTools, isPlain }: Situation): FoldedLine[] {
  if (lead.length === 0) return []
  const { policy } = report
  const tail = isAll ? '' : ' U'
  const takes = (turns: readonly Line[]) => !isPlain && roles.writes(turns.map(letterOf).join(' ') + tail, hasTools)
  const hasDeveloper = lead.some(({ role }) => role === 'developer')
  const isForced = (rule: string, isIts: boolean, value: string) => isIts && policy[rule as 'developer'] === value
  const folds = isForced('developer', hasDeveloper, 'fold') || isForced('system', true, 'fold')
  const native = policy.developer === 'system' ? lead.map((line) => asSystem(line, report)) : lead
  if (!folds && (takes(native) || policy.system === 'native')) return [...native]
  refuseIf(
    policy.developer === 'error' && hasDeveloper,
    lead.find(({ role }) => role === 'developer'),
    'developer',
  )
  const systems = native.map((line) => asSystem(line, report))
  if (!folds && takes(systems)) return systems
  const [first] = systems
  const whole = systems.slice(1).reduce((all, line) => ({ ...joined(all, line), path: all.path }), first!)
  if (!folds && takes([whole])) {
    for (const { path } of systems.slice(1))
      report.notes.push({
        code: 'system-joined',
        where: path,
        text: 'the template takes one system message, so this was joined to the first',
      })
    return [whole]
  }
  refuseIf(policy.system === 'error', lead[0], 'system')
  report.notes.push({
    code: 'role-folded',
    where: whole.path,
    text: "the template does not write a system message, so it stands before the user's words",
  })
  return [{ ...asUser(whole, whole.content ?? []), isFolded: true }]
}

function asSystem(line: Line, { notes }: Report): Line {
  if (line.role !== 'developer') return line
  const isNoted = notes.some(({ code, where }) => code === 'developer-as-system' && where === `${line.path}.role`)
  if (!isNoted)
    notes.push({
      code: 'developer-as-system',
      where: `${line.path}.role`,
      text: 'the template does not write the role "developer" here, so "system" is used',
    })
  return withFields({ ...line, role: 'system' }, line.message === undefined ? {} : { role: 'system' })
}

/** Messages after the first turn: in their place if the template writes them there, whatever follows, else as part of a user turn. */
function placeLater(lead: readonly FoldedLine[], rest: readonly Line[], situation: Situation): FoldedLine[] {
  const { report } = situation
  const placed: FoldedLine[] = [...lead]
  let run = 0
  for (const line of rest) {
    if (!isSystem(line)) {
      placed.push(line)
      run = 0
      continue
    }
    const before = placed[placed.length - 1 - run]
    const native = nativeLater(line, before, run, lead, situation)
    if (native !== undefined) {
      placed.push(native)
      run++
      continue
    }
    run = 0
    const { role } = line
    refuseIf(
      report.policy[role === 'developer' ? 'developer' : 'later_system'] === 'error',
      line,
      role === 'developer' ? role : 'later_system',
    )
    report.notes.push({
      code: 'role-folded',
      where: line.path,
      text: `the template does not write a ${role} message here, so it is part of the user's turn, as <${role}>`,
    })
    placed.push({ ...asUser(line, wrapped(line, role, report.policy)), isFolded: true })
  }
  return placed
}

/** The message as it is or as a system message; undefined if the template writes neither at this place. */
function nativeLater(
  line: Line,
  before: Line | undefined,
  run: number,
  lead: readonly FoldedLine[],
  { roles, report, hasTools, isPlain }: Situation,
): Line | undefined {
  const { policy } = report
  const isDeveloper = line.role === 'developer'
  const rule = isDeveloper ? policy.developer : policy.later_system
  if (rule === 'native') return line
  if (isPlain || rule === 'fold') return undefined
  const start = lead.length > 0 && !lead.some(({ isFolded }) => isFolded) ? 'S U' : 'U'
  const after = before?.role === 'assistant' ? `${start} A` : before !== undefined && isResult(before) ? `${start} C T` : start
  const takes = (letter: string) => {
    const said = `${after}${` ${letter}`.repeat(run + 1)}`
    if (before?.role === 'assistant') return roles.writes(`${said} U`, hasTools)
    return roles.writes(said, hasTools) && roles.writes(`${said} A U`, hasTools)
  }
  if (!isDeveloper) return takes('S') ? line : undefined
  if (rule !== 'system' && takes('D')) return line
  return rule !== 'error' && takes('S') ? asSystem(line, report) : undefined
}

function refuseIf(isRefused: boolean, line: Line | undefined, rule: 'developer' | 'system' | 'later_system'): void {
  if (!isRefused) return
  throw new PromptError('roles-refused', {
    where: `${line?.path ?? 'messages'}.role`,
    problem: `the chat template does not write a ${rule === 'developer' ? 'developer' : rule === 'system' ? 'system' : 'later system'} message`,
    fix: `set roles: { ${rule}: "fold" }, or leave the message out`,
  })
}
