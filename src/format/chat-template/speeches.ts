import { suggestName } from '../../config/nearest.ts'
import type { Turn } from '../../conversation/conversation.ts'
import { knownRoles } from '../../jinja/index.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { dictEntries, dictFromEntries, dictGet, type PyDict, type PyValue } from '../../python/index.ts'
import { control, isText, type TextPiece, textOf } from '../../text/index.ts'
import { normalizeMessage } from './normalize-message.ts'
import type { Capabilities } from './probe.ts'

/** A message for the template, and where its parts come from. */
export type Speech = {
  role: string
  message: PyDict
  /** Who wrote the content, where it is one text. */
  content?: readonly TextPiece[]
  path: string
  /** The message is one of the user's own, so that other fields can be found under `path`. */
  isMessage: boolean
}

type Policies = { where?: string; system?: 'error' | 'fold'; neighbours?: 'merge' | 'error'; normalizeMessages?: boolean }

const chatRoles: ReadonlyMap<string, string> = new Map([
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
  ['SYSTEM', 'system'],
])

/** The turns of a conversation as messages that the template takes; what had to be changed is noted. */
export function speechesOf(
  turns: readonly Turn[],
  capabilities: () => Capabilities,
  policies: Policies,
): { speeches: Speech[]; notes: Note[] } {
  const notes: Note[] = []
  let speeches = turns.map((turn) => speechOf(turn, policies, notes))
  const hasSystem = speeches.some(({ role }) => role === 'system')
  if (hasSystem && capabilities().system !== 'shown') speeches = withoutSystem(speeches, turns, capabilities().system, policies, notes)
  const repeats = speeches.some(
    ({ role }, index) => index > 0 && role === speeches[index - 1]!.role && (role === 'user' || role === 'assistant'),
  )
  return { speeches: repeats && capabilities().alternates ? mergeNeighbours(speeches, policies, notes) : speeches, notes }
}

function speechOf(turn: Turn, { normalizeMessages = true }: Policies, notes: Note[]): Speech {
  const role = turn.message === undefined ? roleOfTurn(turn, notes) : (chatRoles.get(turn.role) ?? turn.role)
  const content = turn.content ?? []
  if (turn.message !== undefined) {
    const { message, changed } = normalizeMessages ? normalizeMessage(turn.message) : { message: turn.message, changed: [] as const }
    if (changed.includes('arguments'))
      notes.push({ code: 'arguments-parsed', where: turn.path, text: 'arguments of tool calls that were JSON text were read' })
    if (changed.includes('content')) notes.push({ code: 'null-content', where: turn.path, text: 'a content of null became empty text' })
    const isOne = typeof dictGet(message, 'content') === 'string'
    const said = role === dictGet(message, 'role') ? message : withKey(message, 'role', role)
    return { role, message: said, path: turn.path, isMessage: true, ...(isOne ? { content: content.filter(isText) } : {}) }
  }
  if (!content.every(isText))
    throw new PromptError('not-text', {
      where: turn.path,
      problem: 'ids and images cannot stand in a chat template’s turn',
      fix: 'use text',
    })
  const entries: [string, PyValue][] = [
    ['role', role],
    ['content', textOf(content)],
    ...(turn.name === undefined ? [] : [['name', turn.name] as [string, PyValue]]),
    ...Object.entries(turn.extra ?? {}),
  ]
  return { role, message: dictFromEntries(entries), content, path: turn.path, isMessage: false }
}

/** A template may write any role as it is: a name that is nobody's would go unnoticed into the prompt. */
function roleOfTurn({ role, fallbackRole, path }: Turn, notes: Note[]): string {
  const known = (name: string) => chatRoles.get(name) ?? (knownRoles.has(name) ? name : undefined)
  const own = known(role)
  if (own !== undefined) return own
  const fallback = fallbackRole === undefined ? undefined : known(fallbackRole)
  if (fallback === undefined) {
    throw new PromptError('unknown-role', {
      where: `${path}.role`,
      problem: `role "${role}" is none that chat templates know`,
      fix: `${suggestName(role, [...chatRoles.keys(), ...knownRoles])} (or give the turn a fallback_role)`,
    })
  }
  notes.push({ code: 'fallback-role', where: path, text: `chat templates have no role "${role}", so "${fallback}" says it` })
  return fallback
}

function withKey(dict: PyDict, key: string, value: PyValue): PyDict {
  return dictFromEntries(dictEntries(dict).map(([name, old]) => [name, name === key ? value : old] as const))
}

/** A system turn that the template would reject or lose: said by its fallback role, folded into the user's words, or an error. */
function withoutSystem(
  speeches: readonly Speech[],
  turns: readonly Turn[],
  fate: Capabilities['system'],
  { where = 'chat_template', system = 'error' }: Policies,
  notes: Note[],
): Speech[] {
  const verb = fate === 'dropped' ? 'leaves out' : 'rejects'
  const result: Speech[] = []
  let pending: Speech[] = []
  for (const [index, speech] of speeches.entries()) {
    const fallback = turns[index]!.fallbackRole
    if (speech.role !== 'system') {
      result.push(speech.role === 'user' && pending.length > 0 ? joined([...pending, speech]) : speech)
      if (speech.role === 'user') pending = []
    } else if (fallback !== undefined) {
      const role = chatRoles.get(fallback) ?? fallback
      notes.push({ code: 'fallback-role', where: speech.path, text: `the chat template ${verb} a system turn, so "${role}" says it` })
      result.push({ ...speech, role, message: withKey(speech.message, 'role', role) })
    } else if (system === 'fold') {
      notes.push({
        code: 'system-folded',
        where: speech.path,
        text: `the chat template ${verb} a system turn, so it stands before the user's words`,
      })
      pending.push({ ...speech, role: 'user', message: withKey(speech.message, 'role', 'user') })
    } else
      throw new PromptError('system-rejected', {
        where: speech.path,
        problem: `${where} ${verb} a system turn`,
        fix: 'give the turn a fallback_role, or set system_policy: "fold" on the model',
      })
  }
  return pending.length > 0 ? [...result, joined(pending)] : result
}

function mergeNeighbours(
  speeches: readonly Speech[],
  { where = 'chat_template', neighbours = 'merge' }: Policies,
  notes: Note[],
): Speech[] {
  const merged: Speech[] = []
  for (const speech of speeches) {
    const last = merged.at(-1)
    const joins = last !== undefined && last.role === speech.role && (speech.role === 'user' || speech.role === 'assistant')
    if (!joins || last.content === undefined || speech.content === undefined) {
      merged.push(speech)
      continue
    }
    if (neighbours === 'error')
      throw new PromptError('roles-must-alternate', {
        where: speech.path,
        problem: `${where} wants user and assistant to take turns, and "${speech.role}" speaks twice`,
        fix: 'join the two turns, or set neighbours_policy: "merge" on the model',
      })
    notes.push({
      code: 'neighbours-merged',
      where: speech.path,
      text: `the chat template wants turns to alternate, so what "${speech.role}" says was joined`,
    })
    merged[merged.length - 1] = joined([last, speech])
  }
  return merged
}

/** Several texts as one message, with an empty line between them. */
function joined(speeches: readonly Speech[]): Speech {
  const last = speeches.at(-1)!
  const content = speeches.flatMap((speech, index) => [
    ...(index === 0 ? [] : [{ ...control('\n\n', { by: 'format', path: 'merge' }), control: false }]),
    ...(speech.content ?? []),
  ])
  return { ...last, content, message: withKey(last.message, 'content', textOf(content)), path: speeches[0]!.path }
}
