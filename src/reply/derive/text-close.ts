import { textBetween } from './marks.ts'
import { callProbe, textCallProbe, words } from './probes.ts'
import type { ProbeWriter } from './write-probe.ts'

/** What follows the words of a turn: what closes them, which says nothing, and what ends the turn. */
export type AfterText = { close: string; tail: string }

/**
 * Tells what closes words from what ends the turn: `</response>`, then `<|im_end|>`. What stands between words and a call, and is
 * no part of the call, cannot be the end.
 */
export function readAfterText(writer: ProbeWriter, after: string): AfterText {
  const [alpha] = words.tools
  const between = textBetween(writer.write(textCallProbe)?.complete, words.text, alpha)
  const before = textBetween(writer.write(callProbe)?.reply, '', alpha)?.trim() ?? ''
  const at = between === undefined || before === '' ? -1 : between.lastIndexOf(before)
  const close = at <= 0 ? '' : between!.slice(0, at).trim()
  const text = after.trim()
  return close !== '' && text.startsWith(close) && text.length > close.length
    ? { close, tail: text.slice(close.length).trim() }
    : { close: '', tail: text }
}
