import { type Conversation, type Item, isTurn } from '../../conversation/conversation.ts'
import type { Note } from '../../note.ts'
import { isText } from '../../text/index.ts'

/** As OpenCompass writes a chat: a message whose role the meta template lacks stands there without any marker. */
export function withBareMessages(
  conversation: Conversation & { kind: 'dialogue' },
  roles: ReadonlyMap<string, unknown>,
): Conversation & { kind: 'dialogue' } {
  const notes: Note[] = [...conversation.notes]
  const written = (item: Item): Item => {
    if (!isTurn(item) || [item.role, nameInTemplates.get(item.role)].some((name) => name !== undefined && roles.has(name))) return item
    const content = item.content ?? []
    const kinds = [...new Set(content.flatMap((piece) => ('image' in piece ? ['images'] : 'ids' in piece ? ['token ids'] : [])))]
    const lost = kinds.length === 0 ? '' : `; its ${kinds.join(' and ')} are left out`
    notes.push({ code: 'role-not-marked', where: item.path, text: `nothing marks who says this: there is no role "${item.role}"${lost}` })
    return { loose: content.filter(isText), path: item.path }
  }
  const sections = conversation.sections.map((section) => ({ ...section, items: section.items.map(written) }))
  return { ...conversation, sections, notes }
}

const nameInTemplates: ReadonlyMap<string, string> = new Map([
  ['user', 'HUMAN'],
  ['assistant', 'BOT'],
  ['system', 'SYSTEM'],
])
