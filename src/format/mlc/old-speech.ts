import type { Conversation } from '../../conversation/conversation.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { control, isText, type Piece } from '../../text/index.ts'
import type { Ask } from '../format.ts'
import type { OldConversation } from './conversation.ts'
import { type OldMessage, oldHistory, oldMessage, oldSegments } from './old-segments.ts'
import { type Said, type Speech, sayConversation } from './said.ts'

type Written = { segments: Piece[][]; notes: readonly Note[] }

/** Writes an adapted conversation with a template of document 003. */
export function oldSpeech(
  conversation: OldConversation,
  adapted: Conversation & { kind: 'dialogue' },
  ask: Ask,
  joinTurns: string | undefined,
): Written {
  const speech = sayConversation(adapted, ask, true)
  refuseImages(speech)
  if (conversation.style !== 'chat') return { segments: rawText(conversation, speech, joinTurns), notes: speech.notes }
  const messages = [...oldHistory(conversation), ...speech.messages.map((said) => asMessage(conversation, said))]
  const next: OldMessage[] = speech.next
    ? [{ ...oldMessage(conversation, sideOf(speech.next.role)), ...(speech.next.begin ? { begin: speech.next.begin } : {}) }]
    : []
  const segments = oldSegments(conversation, [...messages, ...next], {
    from: ask.want === 'last-round' ? 'last-round' : 'start',
    ...(speech.system ? { system: speech.system } : {}),
  })
  return { segments: ask.want === 'continue' ? leftOpen(conversation, segments) : segments, notes: speech.notes }
}

function asMessage(conversation: OldConversation, { role, content, begin, end, example, ...said }: Said): OldMessage {
  return {
    ...oldMessage(conversation, sideOf(role), content),
    ...(begin ? { begin } : {}),
    ...(end ? { end } : {}),
    ...(example === undefined ? {} : { example }),
    ...('endExample' in said ? { endExample: said.endExample } : {}),
  }
}

function sideOf(role: string): 'user' | 'assistant' {
  return role === 'assistant' ? 'assistant' : 'user'
}

/**
 * The user's last words and what the model makes of them: `{user_prompt}{model_output}`. Examples, a system text and earlier rounds are
 * not seen by the model in this style, so that they are refused unless the config asks to join them.
 */
function rawText(conversation: OldConversation, { system, messages }: Speech, joinTurns: string | undefined): Piece[][] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages.slice(Math.max(lastUser, 0))
  const before: (readonly Piece[])[] = [
    ...(system ? [system] : []),
    ...messages.slice(0, Math.max(lastUser, 0)).map(({ content }) => content ?? []),
  ]
  const words = asked.flatMap(({ content }) => content ?? [])
  if (before.length === 0) return [[...words]]
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

/** The last turn goes on: nothing closes it. */
function leftOpen({ path }: OldConversation, segments: Piece[][]): Piece[][] {
  const last = segments.at(-1)
  const end = last?.at(-1)
  const closes = end?.source.by === 'format' && end.source.path.includes('.seps[')
  return last && closes && path !== '' ? [...segments.slice(0, -1), last.slice(0, -1)] : segments
}

/** Templates of this generation know only text. */
function refuseImages({ system = [], messages }: Speech): void {
  const image = [...system, ...messages.flatMap(({ content }) => content ?? [])].find((piece) => !isText(piece) && 'image' in piece)
  if (!image) return
  throw new PromptError('images-not-supported', {
    where: image.source.path,
    problem: 'conversation templates of this generation take only text',
    fix: 'use a vision template, e.g. conv_template: "phi-3-vision"',
  })
}
