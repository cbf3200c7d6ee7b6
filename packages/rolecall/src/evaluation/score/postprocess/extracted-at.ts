import { pyStr } from '@rolecall/core/internal/python'
import type { Reader } from './postprocessors.ts'

/** More occurrences are not tried: each takes a run of the postprocessors. */
const mostTried = 200

/**
 * The occurrence of an extracted answer that was extracted. Each is replaced by another text of the same kind: the extracted one changes
 * what is extracted. Undefined if no single occurrence does.
 */
export function extractedAt(text: string, extracted: string, read: Reader): [start: number, end: number] | undefined {
  if (extracted === '' || pyStr(read(text).value) !== extracted) return undefined
  const starts: number[] = []
  for (let at = text.indexOf(extracted); at >= 0 && starts.length <= mostTried; at = text.indexOf(extracted, at + 1)) starts.push(at)
  if (starts.length === 1) return [starts[0]!, starts[0]! + extracted.length]
  if (starts.length > mostTried) return undefined
  const changed = starts.filter((at) => {
    const other = replaced(extracted)
    const { value } = read(`${text.slice(0, at)}${other}${text.slice(at + extracted.length)}`)
    return pyStr(value) === other
  })
  return changed.length === 1 ? [changed[0]!, changed[0]! + extracted.length] : undefined
}

/** A text of the same kind, with every letter of an option and every digit replaced. */
function replaced(text: string): string {
  return text.replace(/[A-Za-z0-9]/g, (character) => {
    if (/[0-8]/.test(character)) return String(Number(character) + 1)
    if (character === '9') return '8'
    return /[A-Ca-c]/.test(character)
      ? String.fromCharCode(character.charCodeAt(0) + 1)
      : character === 'D'
        ? 'C'
        : character === 'd'
          ? 'c'
          : character
  })
}
