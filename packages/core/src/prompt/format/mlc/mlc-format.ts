import { distinctNotes, type Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type IdsPiece, type Piece, textOf } from '../../../base/text/index.ts'
import { adaptConversation } from '../adapt/adapt-conversation.ts'
import type { Script, Turns } from '../adapt/script.ts'
import { answeredBy, type Traits } from '../adapt/traits.ts'
import { markedAnswer } from '../answer.ts'
import type { Ask, Format, Stop } from '../format.ts'
import { type MlcConversation, pathOf } from './mlc-conversation.ts'
import { mlcPlainChat } from './mlc-plain-chat.ts'
import { showsFunctions } from './new-segments.ts'
import { writeNewScript } from './write-new.ts'
import { leftOutNotes, writeOldScript } from './write-old.ts'

export type MlcFormatOptions = {
  /** The id of BOS, for templates of document 003's generation that add it. */
  bosId?: number
  /** Joins turns where only the last user text would be written; without it they are rejected. */
  joinTurns?: string
  /** Whether the model reasons; if not, an empty thought is written behind the header of its reply, as WebLLM does. */
  thinks?: boolean
}

/** What Qwen3 and others read as a thought that has ended. */
const emptyThought = '<think>\n\n</think>\n\n'

/** A conversation template of MLC (document 003), either generation: conversations become one text. */
export function mlcFormat(conversation: MlcConversation, options: MlcFormatOptions = {}): Format {
  const name = conversation.name === '' ? 'the conversation template' : `the conversation template "${conversation.name}"`
  const traits = traitsOf(conversation, name)
  const prefix = prefixOf(conversation, options.bosId ?? 1)
  const stop = stopsOf(conversation)
  const plainChat = mlcPlainChat(conversation)
  const thinksFor = ({ variables }: Ask) => {
    const { enable_thinking: thinks = options.thinks } = variables ?? {}
    if (thinks === false && conversation.generation === 'old') throw noThoughts(name)
    return thinks !== false
  }
  return {
    name,
    kind: 'completion',
    traits,
    markers: markersOf(conversation),
    variables: conversation.generation === 'old' ? [] : ['enable_thinking'],
    render(given, ask) {
      const script = adaptConversation(given, ask, traits)
      const pieces = write(conversation, script, ask, { ...options, thinks: thinksFor(ask) })
      const written = ask.want === 'last-round' ? pieces : [...prefix, ...pieces]
      const end = { start: written.length, end: written.length }
      const answer = ask.want === 'complete' ? markedAnswer(written) : end
      // Its own ids precede an old template's BOS, so BOS need not come first.
      const bos = conversation.generation === 'old' && conversation.addBos && conversation.prefixIds.length === 0 ? 'in-prompt' : 'none'
      return {
        kind: 'completion',
        pieces: written,
        bos: ask.want === 'last-round' ? 'none' : bos,
        stop,
        notes: distinctNotes([...script.notes, ...leftOutOf(conversation, script, options)]),
        ...(answer ? { answer } : {}),
      }
    },
    plainChat: (ask) => (ask.want === 'generate' && thinksFor(ask) ? plainChat : undefined),
  }
}

/** Not of the new generation: only that has a reply without reasoning. */
export function noThoughts(where: string): PromptError {
  return new PromptError('no-thoughts', {
    where,
    problem: "a conversation template of document 003's generation has no reply without reasoning (enable_thinking: false)",
    fix: 'use the template of the new generation, new/NAME, or leave enable_thinking out',
  })
}

function leftOutOf(conversation: MlcConversation, script: Script, { joinTurns }: MlcFormatOptions): Note[] {
  if (script.kind === 'text') return []
  if (conversation.generation === 'old') return leftOutNotes(conversation, script, joinTurns)
  return conversation.stripReasoningInHistory ? strippedThoughts(script.lines) : []
}

/** The reasoning of replies before the last question, which `strip_reasoning_in_history` leaves out. */
function strippedThoughts(lines: Turns['lines']): Note[] {
  const last = lines.findLastIndex((line) => 'role' in line && line.role === 'user')
  return lines.slice(0, Math.max(0, last)).flatMap((line): Note[] => {
    if ('loose' in line || line.role !== 'assistant' || !textOf(line.content ?? []).includes('</think>')) return []
    return [
      { code: 'thoughts-left-out', where: line.path, text: 'the reasoning of earlier turns was left out (strip_reasoning_in_history)' },
    ]
  })
}

function write(conversation: MlcConversation, script: Script, ask: Ask, { joinTurns, thinks }: MlcFormatOptions): Piece[] {
  // A string template is the whole prompt.
  if (script.kind === 'text') return [...script.content]
  const segments =
    conversation.generation === 'old'
      ? writeOldScript(conversation, script, ask, joinTurns)
      : writeNewScript(conversation, script, ask, thinks === false ? emptyThought : undefined)
  return segments.flatMap((segment, turn) => segment.map((piece) => ({ ...piece, turn })))
}

function traitsOf(conversation: MlcConversation, formatName: string): Traits {
  const roles = conversation.generation === 'old' ? ['user', 'assistant'] : Object.keys(conversation.roles)
  const common = {
    formatName,
    roles,
    userRole: 'user',
    looseText: 'as-user',
    rounds: answeredBy(
      'assistant',
      roles.filter((role) => role !== 'assistant'),
    ),
    replyRole: 'assistant',
    refusesCalls: true,
    fields: [],
    lastRound: true,
    readsContent: false,
  } as const
  if (conversation.generation === 'old') return { ...common, system: 'slot', alternates: { joint: { text: '\n', control: true } } }
  return {
    ...common,
    system: conversation.systemTemplate.includes('{system_message}') ? 'slot' : 'none',
    tools: showsFunctions(conversation),
    partsOf: ['user'],
    ...(conversation.stripReasoningInHistory ? { rewritesContent: true } : {}),
  }
}

/** The ids before a fresh conversation, which the runtime adds; they have no text. */
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

/** Turn markers: a role with the text after it, a separator, the markup of the system prompt. */
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
