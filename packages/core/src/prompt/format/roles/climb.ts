import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isLoose, type LooseText, type Tool } from '../../conversation/conversation.ts'
import type { Line, Turns } from '../adapt/script.ts'
import { adaptCalls } from './adapt-calls.ts'
import { declaration, foldCalls } from './fold-tools.ts'
import { isResult, isSystem, type Report, withPlainParts } from './ladder-lines.ts'
import { placeResults } from './place-results.ts'
import { placeSystems } from './place-systems.ts'
import { placeTurns } from './place-turns.ts'
import type { CallForm, TemplateRoles } from './template-roles.ts'

/** How much is written in the template's own way: all that it writes, everything but tools, or only users and answers in turns. */
export type Height = 'native' | 'text-tools' | 'plain'
export const heights: readonly Height[] = ['native', 'text-tools', 'plain']

/** A conversation that the template writes, and how it wants its calls. */
export type Climbed = { script: Turns; callForm?: CallForm | undefined }

/**
 * The ladder: rewrites the turns of a conversation that a template would lose or refuse, each in the first way that the template writes.
 * Every change is noted. What depends on later turns is avoided, so that the prompt of a growing conversation grows at its end.
 */
export function climb(script: Turns, roles: TemplateRoles, report: Report, height: Height): Climbed {
  const given = script.lines.filter((line): line is Line => !isLoose(line as LooseText)).map(withPlainParts)
  if (isOrdinary(given, script.tools) && height === 'native') return climbOrdinary(script, given, roles, report)
  const tools = placeTools(given, script.tools ?? [], roles, report, height)
  const isNative = tools === 'native'
  const hasTools = isNative && (script.tools?.length ?? 0) > 0
  const callForm = isNative ? roles.callForm(hasTools) : undefined
  const matched = placeResults(given, roles, isNative, report)
  if (hasTools && roles.declarations > 1)
    report.notes.push({ code: 'tools-repeated', where: 'tools', text: 'the template writes the descriptions of tools more than once' })
  const called = isNative ? adaptCalls(matched, roles, hasTools, report) : foldCalls(matched, report)
  const declared = isNative || !script.tools?.length ? called : withDeclaration(called, script.tools, report)
  const situation = { roles, report, hasTools, isPlain: height === 'plain' }
  const systems = placeSystems(declared, situation)
  const lines = placeTurns(systems, situation)
  const { tools: _, ...rest } = script
  return { script: { ...rest, lines, ...(isNative && script.tools ? { tools: script.tools } : {}) }, callForm }
}

/** Users and answers in turns, after a system message or none: the usual chat, which any template writes as it is. */
function isOrdinary(lines: readonly Line[], tools: readonly Tool[] | undefined): boolean {
  if (tools?.length) return false
  const turns = lines[0]?.role === 'system' ? lines.slice(1) : lines
  return turns.length > 0 && turns.every(({ role, calls }, index) => role === (index % 2 === 0 ? 'user' : 'assistant') && !calls?.length)
}

function climbOrdinary(script: Turns, lines: readonly Line[], roles: TemplateRoles, report: Report): Climbed {
  if (lines[0]?.role !== 'system') return { script: { ...script, lines } }
  return { script: { ...script, lines: placeSystems(lines, { roles, report, hasTools: false, isPlain: false }) } }
}

/** Whether tools, calls and results are the template's own or text. */
function placeTools(
  lines: readonly Line[],
  tools: readonly Tool[],
  roles: TemplateRoles,
  { policy }: Report,
  height: Height,
): 'native' | 'text' {
  const uses = lines.find((line) => line.calls?.length || isResult(line))
  if (tools.length === 0 && uses === undefined) return 'native'
  if (policy.tools === 'fold') return 'text'
  const start = isSystem(lines[0] ?? ({ role: '' } as Line)) ? 'S U' : 'U'
  const isWritten = tools.length > 0 ? writesTools(roles, start) : roles.callForm(false) !== undefined
  if (policy.tools === 'native') return 'native'
  if (isWritten && height === 'native') return 'native'
  if (policy.tools === 'auto') return 'text'
  throw new PromptError('roles-refused', {
    where: tools[0]?.path ?? uses?.path ?? 'tools',
    problem: 'the chat template does not write tools, calls and results',
    fix: 'set roles: { tools: "fold" }, leave the tools out, or use another template',
  })
}

/** Whether a template writes everything about tools: a part alone is of no use. */
export function writesTools(roles: TemplateRoles, start = 'U'): boolean {
  if (roles.callForm(true) === undefined) return false
  // A template that takes no system message takes it as the user's.
  return roles.declaresTools(start) || (start !== 'U' && roles.declaresTools('U'))
}

function withDeclaration(lines: readonly Line[], tools: readonly Tool[], { notes }: Report): Line[] {
  notes.push({ code: 'tools-folded', where: 'tools', text: 'tools are declared as text, since the chat template does not write them' })
  const end = lines.findIndex((line) => !isSystem(line))
  const at = end < 0 ? lines.length : end
  return [...lines.slice(0, at), declaration(tools), ...lines.slice(at)]
}
