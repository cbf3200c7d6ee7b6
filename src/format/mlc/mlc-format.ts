import { adaptConversation } from '../../adapt/adapt-conversation.ts'
import type { Traits } from '../../adapt/traits.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { distinctNotes, type Note } from '../../note.ts'
import type { IdsPiece, Piece } from '../../text/index.ts'
import { markedAnswer } from '../answer.ts'
import type { Ask, Format, Stop } from '../format.ts'
import { type MlcConversation, pathOf } from './conversation.ts'
import { mlcPlainChat } from './mlc-plain-chat.ts'
import { showsFunctions } from './new-segments.ts'
import { newSpeech } from './new-speech.ts'
import { oldSpeech } from './old-speech.ts'

export type MlcFormatOptions = {
  /** The id of BOS, for templates of document 003's generation that add it. */
  bosId?: number
  /** What stands between turns where only the last user text would be written; without it they are refused. */
  joinTurns?: string
}

/** A conversation template of MLC (document 003), either generation: conversations become one text. */
export function mlcFormat(conversation: MlcConversation, options: MlcFormatOptions = {}): Format {
  const name = conversation.name === '' ? 'the conversation template' : `the conversation template "${conversation.name}"`
  const traits = traitsOf(conversation)
  const prefix = prefixOf(conversation, options.bosId ?? 1)
  const stop = stopsOf(conversation)
  const plainChat = mlcPlainChat(conversation)
  return {
    name,
    kind: 'completion',
    traits,
    markers: markersOf(conversation),
    render(given, ask) {
      const { pieces, notes } = write(conversation, given, ask, { traits, name, options })
      const written = ask.want === 'last-round' ? pieces : [...prefix, ...pieces]
      const end = { start: written.length, end: written.length }
      const answer = ask.want === 'generate' || ask.want === 'last-round' ? end : markedAnswer(written)
      // Its own ids stand in front of an old template's BOS, so that BOS need not come first.
      const bos = conversation.generation === 'old' && conversation.addBos && conversation.prefixIds.length === 0 ? 'in-prompt' : 'none'
      return {
        kind: 'completion',
        pieces: written,
        bos: ask.want === 'last-round' ? 'none' : bos,
        stop,
        notes: distinctNotes(notes),
        ...(answer ? { answer } : {}),
      }
    },
    plainChat: ({ want }) => (want === 'generate' ? plainChat : undefined),
  }
}

type Written = { pieces: Piece[]; notes: readonly Note[] }
type Context = { traits: Traits; name: string; options: MlcFormatOptions }

function write(conversation: MlcConversation, given: Conversation, ask: Ask, { traits, name, options }: Context): Written {
  // A string template is the whole prompt.
  if (given.kind === 'text') return { pieces: [...given.content], notes: given.notes }
  const adapted = adaptConversation(given, traits, name)
  if (adapted.kind === 'text') throw new Error('a text has no dialogue')
  const { segments, notes } =
    conversation.generation === 'old' ? oldSpeech(conversation, adapted, ask, options.joinTurns) : newSpeech(conversation, adapted, ask)
  const pieces = segments.flatMap((segment, turn) => segment.map((piece) => ({ ...piece, turn })))
  return { pieces, notes: [...adapted.notes, ...notes] }
}

function traitsOf(conversation: MlcConversation): Traits {
  const common = { userRole: 'user', looseText: 'as-user', readsContent: false } as const
  if (conversation.generation === 'old') return { ...common, roles: ['user', 'assistant'], system: 'slot', alternates: true }
  const { roles, systemTemplate, stripReasoningInHistory } = conversation
  return {
    ...common,
    roles: Object.keys(roles),
    system: systemTemplate.includes('{system_message}') ? 'slot' : 'none',
    tools: showsFunctions(conversation),
    ...(stripReasoningInHistory ? { rewritesContent: true } : {}),
  }
}

/** What the runtime puts before a fresh conversation; text has no part in it. */
function prefixOf(conversation: MlcConversation, bosId: number): IdsPiece[] {
  const ids = (key: string, given: readonly number[]): IdsPiece[] =>
    given.length === 0 ? [] : [{ ids: given, source: { by: 'tokenizer', path: pathOf(conversation, key) } }]
  if (conversation.generation === 'new') return ids('system_prefix_token_ids', conversation.prefixIds)
  return [...ids('prefix_tokens', conversation.prefixIds), ...ids('add_bos', conversation.addBos ? [bosId] : [])]
}

function stopsOf(conversation: MlcConversation): Stop[] {
  const source = (key: string) => ({ by: 'format', path: pathOf(conversation, key) }) as const
  const isOld = conversation.generation === 'old'
  const texts = isOld ? [conversation.stopText] : conversation.stopTexts
  return [
    ...conversation.stopIds.map((id) => ({ id, source: source(isOld ? 'stop_tokens' : 'stop_token_ids') })),
    ...texts.filter((text) => text !== '').map((text) => ({ text, source: source('stop_str') })),
  ]
}

/** What marks turns: a role with what follows it, a separator, the markup of the system prompt. */
function markersOf(conversation: MlcConversation): string[] {
  const texts =
    conversation.generation === 'old'
      ? [...conversation.roles.map((role) => role + conversation.roleMessageSep), conversation.system.before, conversation.system.after]
      : [
          ...Object.values(conversation.roles).map((role) => role + conversation.roleContentSep),
          ...conversation.systemTemplate.split('{system_message}'),
          ...Object.values(conversation.roleTemplates).flatMap((template) => template.split(/\{\w+\}/)),
        ]
  return [...new Set([...texts, ...conversation.seps].map((text) => text.trim()).filter((text) => text !== ''))]
}
