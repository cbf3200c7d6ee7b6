import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { textOf } from '../../../base/text/index.ts'
import type { Item, LooseText } from '../../conversation/conversation.ts'
import type { AdaptedTurn } from './rounds.ts'
import type { Traits } from './traits.ts'

/** Text without a role, as the format requires: verbatim, as a user turn, or dropped with a note. */
export function adaptLooseText(item: LooseText, { looseText, userRole, formatName }: Traits, notes: Note[]): Item[] {
  if (looseText === 'verbatim') return [item]
  const text = textOf(item.loose)
  if (text.trim() === '') {
    // A separator is meaningless if turns are messages.
    if (text !== '') notes.push({ code: 'blank-text-dropped', where: item.path, text: 'blank text that no role says was left out' })
    return []
  }
  if (looseText === 'drop') {
    notes.push({ code: 'loose-text-dropped', where: item.path, text: 'text that no role says was left out' })
    return []
  }
  if (looseText === 'as-user' && userRole !== undefined) {
    notes.push({ code: 'loose-text-as-user', where: item.path, text: `text that has no role is said by "${userRole}"` })
    const turn: AdaptedTurn = { role: userRole, content: item.loose, path: item.path, standalone: true }
    return [turn]
  }
  throw new PromptError('loose-text', {
    where: item.path,
    problem: `${JSON.stringify(excerpt(text))} has no role, and ${formatName} takes only turns`,
    fix: 'write { role: …, prompt: … }',
  })
}

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
