import { str } from './repr.ts'
import { mapText, type Str } from './text.ts'
import { Markup, type Value } from './value.ts'

/** MarkupSafe's `escape`: what is Markup already stays as it is. */
export function escapeHtml(value: Value): Markup {
  return value instanceof Markup ? value : new Markup(escapeText(str(value)))
}

export function escapeText(text: Str): Str {
  return mapText(text, (part) => (special.test(part) ? part.replace(specials, (character) => entities[character]!) : part))
}

const special = /[&<>'"]/
const specials = /[&<>'"]/g
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }
