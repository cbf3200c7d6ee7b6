import type { ShownNote } from '../lab/engine/contract.ts'
import { translated } from './translated.ts'

const texts = translated(
  { of: ({ text }: ShownNote): string => text },
  { of: ({ text, zh }) => (zh === undefined ? text : `${zh}：${text}`) },
)

/** A note in the words of the library, in Chinese with what it is about in front. */
export function noteText(note: ShownNote): string {
  return texts().of(note)
}
