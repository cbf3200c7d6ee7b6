import type { Note } from '../../../base/errors/note.ts'
import type { Quirks } from '../../../base/fidelity/quirks.ts'
import { textOf } from '../../../base/text/index.ts'
import { type Conversation, type Item, isLoose, isMessages, type Turn } from '../../conversation/conversation.ts'
import { adaptConversation } from './adapt-conversation.ts'
import { isTemplateRole } from './role-names.ts'
import type { Line, Turns } from './script.ts'
import type { Traits } from './traits.ts'

type Dialogue = Conversation & { kind: 'dialogue' }

/** What a chat is made of. */
const chatTraits: Traits = {
  formatName: 'a chat',
  roles: ['system', 'user', 'assistant', 'tool', 'environment', 'function'],
  userRole: 'user',
  looseText: 'as-user',
  continues: true,
  readsContent: false,
}

/**
 * A template's conversation as a chat: one message per turn, written one by one, without rounds. Text without a role becomes the user's.
 * OpenCompass's ChatInferencer reads templates in this way.
 */
export function asMessages(conversation: Conversation, quirks: Quirks): Conversation & { kind: 'dialogue' } {
  if (conversation.kind === 'text') {
    const turn: Turn = { role: 'user', content: conversation.content, path: 'infer_cfg.prompt_template.template' }
    return chatOf([turn], conversation.notes)
  }
  if (isMessages(conversation)) return conversation
  const given = quirks.has('dialogue-as-chat') ? asTheReferenceReads(conversation) : conversation
  const affixes = quirks.has('turn-affixes-dropped') ? 'dropped' : 'inside'
  const script = adaptConversation(given, { want: 'generate' }, { ...chatTraits, affixes }) as Turns
  const turns = script.lines.filter((line): line is Line => 'role' in line)
  return { ...(conversation as Dialogue), ...chatOf(turns, script.notes) }
}

function chatOf(turns: readonly Turn[], notes: readonly Note[]): Conversation & { kind: 'dialogue' } {
  return { kind: 'dialogue', sections: [{ kind: 'chat', items: turns }], notes }
}

/** Unknown roles are skipped; a text is checked for the word that marks a part of a template. */
function asTheReferenceReads(conversation: Conversation & { kind: 'dialogue' }): Conversation {
  const notes: Note[] = [...conversation.notes]
  const read = (item: Item): Item[] => {
    const isLost = isLoose(item) ? textOf(item.loose).includes('section') : !isTemplateRole(item.role)
    if (isLost) {
      notes.push({ code: 'turn-dropped', where: item.path, text: 'OpenCompass leaves this out of a chat' })
      return []
    }
    return isLoose(item) && textOf(item.loose) !== '' ? [{ role: 'HUMAN', content: item.loose, path: item.path }] : [item]
  }
  const sections = conversation.sections.map((section) => ({ ...section, items: section.items.flatMap(read) }))
  return { ...conversation, sections, notes }
}
