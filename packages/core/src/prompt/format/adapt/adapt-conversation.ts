import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet } from '../../../base/python/index.ts'
import { control, type Piece, textOf } from '../../../base/text/index.ts'
import {
  type Affix,
  type Conversation,
  type Item,
  isLoose,
  isMessages,
  type LooseText,
  type Section,
  type Turn,
} from '../../conversation/conversation.ts'
import { adaptLooseText } from './adapt-loose-text.ts'
import { adaptTurn, systemSlot } from './adapt-turn.ts'
import { assignTurns } from './assign-turns.ts'
import { checkTurn } from './check-turn.ts'
import { joinLines, joinNeighbours } from './join-neighbours.ts'
import { withJoinedParts } from './join-parts.ts'
import { type Ask, type Line, ofExample, type Script, type Turns } from './script.ts'
import type { Traits } from './traits.ts'

type Dialogue = Conversation & { kind: 'dialogue' }
type Lines = readonly (Line | LooseText)[]

/**
 * Adapts a conversation to a format: every turn gets a role that the format knows, text without a role is treated as the format requires,
 * consecutive turns of one role are joined if turns must alternate, and the model's turn is determined. Changes are noted; turns that the
 * format cannot express are errors.
 */
export function adaptConversation(conversation: Conversation, ask: Ask, traits: Traits): Script {
  if (conversation.kind === 'text') return { kind: 'text', content: conversation.content, notes: conversation.notes }
  checkAsk(ask, traits)
  const { tools, interpreter } = conversation
  refuseTools(conversation, traits)
  const notes: Note[] = []
  const { sections, system, noted } = adaptSections(conversation, traits, notes)
  const isChat = isMessages(conversation)
  const adapted = notes.length
  const { lines: said, next, until } = assignTurns(sections, traits, ask, notes)
  // Notes about turns that generation cuts off are useless.
  if (until !== undefined && noted[until]! < adapted) notes.splice(noted[until]!, adapted - noted[until]!)
  if (ask.want === 'continue') checkContinued(said, traits)
  const heard = traits.dropsSilent && !isChat ? said.filter(isHeard) : said
  const lines = joinNeighbours(foldSystem(asWritten(heard, traits), traits), traits, notes)
  const script: Turns = { kind: 'turns', lines, isChat, notes: notes.length === 0 ? conversation.notes : [...conversation.notes, ...notes] }
  if (system.length > 0) script.system = joinSystem(system)
  if (next) script.next = next
  if (ask.want === 'continue') script.isOpen = true
  if (tools) script.tools = tools
  if (interpreter) script.interpreter = interpreter
  return script
}

type Adapted = {
  sections: readonly Section[]
  system: readonly Turn[]
  /** The number of notes after each section. */
  noted: readonly number[]
}

/** The sections with roles of the format, and the turns that fill its system slot. */
function adaptSections(conversation: Dialogue, traits: Traits, notes: Note[]): Adapted {
  const system: Turn[] = []
  const noted: number[] = []
  let isStart = true
  const sections = conversation.sections.map((section): Section => {
    const items: Item[] = []
    for (const item of section.items) {
      if (isLoose(item)) {
        items.push(...adaptLooseText(item, traits, notes))
        isStart &&= items.length === 0
        continue
      }
      const whole = traits.joinsParts && item.parts ? withJoinedParts(item, traits, notes) : item
      const adapted = adaptTurn(whole, traits, notes, isStart)
      if (!isLoose(adapted)) checkTurn(adapted, traits, notes)
      if (isStart && !isLoose(adapted) && adapted.role === systemSlot && traits.system === 'slot') {
        system.push(adapted)
        continue
      }
      isStart = false
      items.push(adapted)
    }
    noted.push(notes.length)
    return { ...section, items }
  })
  return { sections, system, noted }
}

function joinSystem(turns: readonly Turn[]): Piece[] {
  const empty = turns.find(({ message }) => message && (dictGet(message, 'content') ?? null) === null)
  if (empty)
    throw new PromptError('bad-message', {
      where: `${empty.path}.content`,
      problem: 'the system message has no content',
      fix: 'write some, or leave the message out',
    })
  const newline = control('\n', { by: 'format', path: 'merge' })
  return turns.flatMap(({ content }, index) => [...(index === 0 ? [] : [newline]), ...(content ?? [])])
}

/** Whether a line is not empty, as OpenCompass's models with a chat template check. */
function isHeard(line: Line | LooseText): boolean {
  return textOf('loose' in line ? line.loose : (line.content ?? [])) !== ''
}

/** Lines with the output names of their roles; if a turn is a message or a text, its affixes are part of its content. */
function asWritten(lines: Lines, { affixes = 'around', writesAs, rounds }: Traits): Lines {
  if (affixes === 'around' && !writesAs) return lines
  return lines.map((line): Line | LooseText => {
    if ('loose' in line) return line
    const speaker = rounds?.speakers?.get(line.role)
    const { begin = speaker?.begin, end = speaker?.end, ...said } = line
    const role = writesAs?.get(line.role) ?? line.role
    if (affixes === 'dropped' || (!begin?.length && !end?.length)) return { ...said, role }
    const around = (affix: Affix = []) => ofExample(affix, line.example)
    return { ...said, role, content: [...around(begin), ...(line.content ?? []), ...around(end)] }
  })
}

const emptyLine = { text: '\n\n', control: false }

/** Moves unsupported system turns before the next user text. */
function foldSystem(lines: Lines, traits: Traits): Lines {
  if (!('system' in traits)) return lines
  if (!lines.some((line) => 'role' in line && line.role === systemSlot) || typeof traits.system !== 'object') return lines
  const folded: (Line | LooseText)[] = []
  let pending: Line | undefined
  for (const line of lines) {
    const role = 'loose' in line ? undefined : line.role
    if ('loose' in line || (role !== systemSlot && role !== 'user')) folded.push(line)
    else if (role === systemSlot) {
      const said: Line = { ...line, role: 'user' }
      pending = pending ? joinLines(pending, said, emptyLine) : said
    } else {
      folded.push(...(pending && line.parts ? [pending, line] : [pending ? joinLines(pending, line, emptyLine) : line]))
      pending = undefined
    }
  }
  return pending ? [...folded, pending] : folded
}

function checkAsk({ want }: Ask, { lastRound, formatName }: Traits): void {
  if (want !== 'last-round' || lastRound) return
  throw new PromptError('unsupported-ask', {
    where: formatName,
    problem: `${formatName} writes whole conversations, not only their last round`,
    fix: 'render the whole prompt',
  })
}

function refuseTools({ tools, interpreter }: Dialogue, traits: Traits): void {
  if (!tools?.length && !interpreter) return
  const refused = (traits.interpreter ? undefined : interpreter) ?? (traits.tools ? undefined : tools?.[0])
  if (!refused) return
  throw new PromptError('no-tools', {
    where: refused.path,
    problem: `${traits.formatName} has no way to describe tools, interpreters or calls`,
    fix: 'leave them out, or use a format that does, e.g. internlm2',
  })
}

/** Only the model's own text can be continued. */
function checkContinued(lines: Lines, { rounds, replyRole }: Traits): void {
  if (!rounds || replyRole === undefined) return
  const last = lines.at(-1)
  if (last && 'role' in last && (last.role === replyRole || rounds.speakers?.get(last.role)?.generate)) return
  throw new PromptError('nothing-to-continue', {
    where: last?.path ?? 'messages',
    problem: `${last === undefined ? 'there is no message' : 'role' in last ? `the last message is from "${last.role}"` : 'the last message has no role'}, so there is no answer to continue`,
    fix: "ask with want: 'generate', or end with an assistant message",
  })
}
