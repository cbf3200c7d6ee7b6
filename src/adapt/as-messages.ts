import type { Quirks } from '../config/fidelity.ts'
import { type Conversation, type Item, isLoose, isMessages, isTurn, type Turn } from '../conversation/conversation.ts'
import type { Note } from '../note.ts'
import { type Piece, textOf } from '../text/index.ts'
import { adaptConversation } from './adapt-conversation.ts'
import type { Traits } from './traits.ts'

/** What a chat is made of. */
const chatTraits: Traits = { roles: ['system', 'user', 'assistant'], userRole: 'user', looseText: 'as-user', readsContent: false }

/**
 * A template's conversation as a chat: one message for each turn, which formats write one by one, without rounds. Text that
 * nobody says is the user's. OpenCompass's ChatInferencer reads templates in this way.
 */
export function asMessages(conversation: Conversation, quirks: Quirks): Conversation & { kind: 'dialogue' } {
  if (conversation.kind === 'text') {
    const turn: Turn = { role: 'user', content: conversation.content, path: 'infer_cfg.prompt_template.template' }
    return chatOf([turn], conversation.notes)
  }
  if (isMessages(conversation)) return conversation
  const given = quirks.has('dialogue-as-chat') ? asTheReferenceReads(conversation) : conversation
  const adapted = adaptConversation(given, chatTraits, 'a chat') as Conversation & { kind: 'dialogue' }
  const turns = adapted.sections.flatMap(({ items }) => items.filter(isTurn).map((turn) => asMessage(turn, quirks)))
  return { ...adapted, ...chatOf(turns, adapted.notes) }
}

function chatOf(turns: readonly Turn[], notes: readonly Note[]): Conversation & { kind: 'dialogue' } {
  return { kind: 'dialogue', sections: [{ kind: 'chat', items: turns }], notes }
}

/** What the dataset writes around a turn's words is part of the message. */
function asMessage({ override, standalone: _, ...turn }: Turn, quirks: Quirks): Turn {
  if (!override || quirks.has('turn-affixes-dropped')) return turn
  return { ...turn, content: [...(override.begin ?? []), ...(turn.content ?? []), ...(override.end ?? [])] as Piece[] }
}

/** Roles of other names are passed over; a text is tested for the word that marks a part of a template. */
function asTheReferenceReads(conversation: Conversation & { kind: 'dialogue' }): Conversation {
  const notes: Note[] = [...conversation.notes]
  const read = (item: Item): Item[] => {
    const isLost = isLoose(item) ? textOf(item.loose).includes('section') : !['HUMAN', 'BOT', 'SYSTEM'].includes(item.role)
    if (isLost) {
      notes.push({ code: 'turn-dropped', where: item.path, text: 'OpenCompass leaves this out of a chat' })
      return []
    }
    return isLoose(item) && textOf(item.loose) !== '' ? [{ role: 'HUMAN', content: item.loose, path: item.path }] : [item]
  }
  const sections = conversation.sections.map((section) => ({ ...section, items: section.items.flatMap(read) }))
  return { ...conversation, sections, notes }
}
