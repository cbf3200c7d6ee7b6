import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { control, isText, type Piece } from '../../../base/text/index.ts'
import { type Ask, type Line, type NextLine, type Turns, wordsOf } from '../adapt/script.ts'
import { isHeader, spokenLines } from './lines.ts'
import { type OldConversation, pathOf } from './mlc-conversation.ts'
import { type OldMessage, oldHistory, oldMessage, oldSegments } from './old-segments.ts'

/** Writes a script with a template of document 003, in segments. */
export function writeOldScript(conversation: OldConversation, script: Turns, ask: Ask, joinTurns: string | undefined): Piece[][] {
  const lines = spokenLines(script)
  refuseImages(script.system, lines)
  if (conversation.style !== 'chat') return rawText(conversation, script.system, lines, { joinTurns, isAChat: isChat(script) })
  const messages = [...oldHistory(conversation), ...lines.map((line) => asMessage(conversation, line))]
  const next = script.next ? [header(conversation, script.next)] : []
  const segments = oldSegments(conversation, [...messages, ...next], {
    from: ask.want === 'last-round' ? 'last-round' : 'start',
    ...(script.system ? { system: script.system } : {}),
  })
  return script.isOpen ? leftOpen(conversation, segments) : segments
}

function header(conversation: OldConversation, { role, begin }: NextLine): OldMessage {
  return { ...oldMessage(conversation, sideOf(role)), ...(begin ? { begin } : {}) }
}

function asMessage(conversation: OldConversation, line: Line): OldMessage {
  const { role, begin, end, example } = line
  return {
    ...oldMessage(conversation, sideOf(role), isHeader(line) ? undefined : wordsOf(line)),
    ...(begin ? { begin } : {}),
    ...(end ? { end } : {}),
    example,
    ...('endExample' in line ? { endExample: line.endExample } : {}),
  }
}

function sideOf(role: string): 'user' | 'assistant' {
  return role === 'assistant' ? 'assistant' : 'user'
}

/**
 * The user's last text and the model's output: `{user_prompt}{model_output}`. The model does not see examples, a system text and earlier
 * rounds in this style: a chat continues without them, and a dataset is refused unless the config enables joining.
 */
function rawText(
  conversation: OldConversation,
  system: readonly Piece[] | undefined,
  lines: readonly Line[],
  { joinTurns, isAChat }: { joinTurns: string | undefined; isAChat: boolean },
): Piece[][] {
  const lastUser = lines.findLastIndex(({ role }) => role === 'user')
  const asked = lines.slice(Math.max(lastUser, 0))
  const before: (readonly Piece[])[] = [...(system ? [system] : []), ...lines.slice(0, Math.max(lastUser, 0)).map(wordsOf)]
  const words = asked.flatMap(wordsOf)
  if (before.length === 0 || (joinTurns === undefined && isAChat)) return [[...words]]
  if (joinTurns === undefined) {
    throw new PromptError('history-not-written', {
      where: conversation.path,
      problem: `this template writes only what the user says last, and ${before.length === 1 ? 'something stands' : `${before.length} turns stand`} before it`,
      fix: 'set join_turns on the model, e.g. to "\\n", to write everything one after the other, or use a chat template',
    })
  }
  const separator = control(joinTurns, { by: 'format', path: 'join_turns' })
  return [[...before.flatMap((turn) => [...turn, separator]), ...words]]
}

/**
 * The parts of a conversation that a template drops: its own messages after `offset`, and in the language-model styles all but the user's
 * last text ("the model will not be aware of chat history").
 */
export function leftOutNotes(conversation: OldConversation, script: Turns, joinTurns: string | undefined): Note[] {
  const { leftOut = 0, style } = conversation
  const notes: Note[] = []
  if (leftOut > 0) {
    const text = `${leftOut === 1 ? 'one message of the template is' : `${leftOut} messages of the template are`} left out, as they stand behind the offset`
    notes.push({ code: 'messages-left-out', where: pathOf(conversation, 'offset'), text })
  }
  if (
    style !== 'chat' &&
    joinTurns === undefined &&
    isChat(script) &&
    (script.system || earlierLines(script.lines as readonly Line[]).length > 0)
  ) {
    const text = 'the template writes only what the user says last: what was said before is left out'
    notes.push({ code: 'history-left-out', where: pathOf(conversation, 'separator_style'), text })
  }
  return notes
}

/** Document 003 specifies what happens to the history of a chat; the turns of a dataset must reach the model. */
function isChat({ lines }: Turns): boolean {
  return lines.length > 0 && lines.every((line) => !('loose' in line) && line.message !== undefined)
}

function earlierLines(lines: readonly Line[]): readonly Line[] {
  return lines.slice(
    0,
    Math.max(
      lines.findLastIndex(({ role }) => role === 'user'),
      0,
    ),
  )
}

/** The last turn stays open. */
function leftOpen({ path }: OldConversation, segments: Piece[][]): Piece[][] {
  const last = segments.at(-1)
  const end = last?.at(-1)
  const closes = end?.source.by === 'format' && end.source.path.includes('.seps[')
  return last && closes && path !== '' ? [...segments.slice(0, -1), last.slice(0, -1)] : segments
}

/** Templates of this generation support only text. */
function refuseImages(system: readonly Piece[] = [], lines: readonly Line[]): void {
  const image = [...system, ...lines.flatMap(({ content }) => content ?? [])].find((piece) => !isText(piece) && 'media' in piece)
  if (!image) return
  throw new PromptError('images-not-supported', {
    where: image.source.path,
    problem: 'conversation templates of this generation take only text',
    fix: 'use a vision template, e.g. conv_template: "phi-3-vision"',
  })
}
