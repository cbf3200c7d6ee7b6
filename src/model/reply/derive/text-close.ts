import { textCallProbe, words } from './probes.ts'
import { samePrefix, textBetween } from './template-marks.ts'
import type { ProbeWriter } from './write-probe.ts'

/** What follows the words of a turn: the mark that closes them, and the mark that ends the turn. */
export type AfterText = { close: string; tail: string }

/**
 * Distinguishes the mark that closes text from the one that ends the turn: `</response>`, then `<|im_end|>`. A mark that also follows text
 * before a call cannot be the end.
 */
export function readAfterText(writer: ProbeWriter, after: string): AfterText {
  const [alpha] = words.tools
  const between = textBetween(writer.write(textCallProbe)?.complete, words.text, alpha)
  const close = between === undefined ? '' : samePrefix(after, between).trim()
  const tail = after.trim()
  return close === '' || tail === close ? { close: '', tail } : { close, tail: tail.slice(close.length).trim() }
}
