import { noteRow } from 'rolecall/internal/node/notes/all-notes'
import { translated } from './translated.ts'

const names = translated({ of: (_: string): string | undefined => undefined }, { of: (code) => noteRow(code)?.zh })

/** What a note is about, if its text is in another language; undefined in English. */
export function noteName(code: string): string | undefined {
  return names().of(code)
}
