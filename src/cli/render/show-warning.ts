import type { Note } from '../../note.ts'
import { colors, printable } from '../terminal.ts'

/** What is legal and probably not meant, or was skipped, in one line. */
export function showWarning({ text, where }: Note): string {
  return `${colors.yellow('warning')} ${printable(text)}${where ? colors.dim(` (${printable(where)})`) : ''}`
}

/** For output that programs read: what people should know goes beside it. */
export function warnBeside(notes: readonly Note[]): void {
  for (const note of notes) process.stderr.write(`${showWarning(note)}\n`)
}
