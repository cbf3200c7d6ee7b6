import type { OldConversation } from './mlc-conversation.ts'

type SystemParts = OldConversation['system']

/** A special token, or one of the older markers for one. */
const mark = String.raw`(?:<\|[^|<>\n]{1,40}\|>|<<\/?[A-Z]{1,20}>>|\[\/?[A-Z_]{1,20}\]|<\/?s>)`
/** Markers, and the name of the role. */
const opening = new RegExp(String.raw`^(?:\s*${mark}[^\S\n]*(?:system\b[^\S\n]*)?)+\n*`)
const closing = new RegExp(String.raw`\s*${mark}(?:\s*${mark})*\s*$`)

/**
 * Splits a `system` prompt into text, which another system text replaces, and the markup around it, which stays: that of the template it
 * changes if it is the same, else special tokens at its start and end.
 *
 * @example
 * systemParts('<|im_start|>system\nBe brief.<|im_end|>\n').text // => 'Be brief.'
 */
export function systemParts(system: string, known: SystemParts = { before: '', text: '', after: '' }): SystemParts {
  const { before, after } = known
  const isKnown =
    before + after !== '' && system.length >= before.length + after.length && system.startsWith(before) && system.endsWith(after)
  if (isKnown) return { before, text: system.slice(before.length, system.length - after.length), after }
  const start = opening.exec(system)?.[0] ?? ''
  const rest = system.slice(start.length)
  const end = closing.exec(rest)?.[0] ?? ''
  return { before: start, text: rest.slice(0, rest.length - end.length), after: end }
}
