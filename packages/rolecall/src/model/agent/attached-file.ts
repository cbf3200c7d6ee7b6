import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { stringifyJson } from '@rolecall/core/internal/python'
import type { CodeFile } from './interpreter.ts'

/**
 * The message that lists files for a model, as in document 004: a separate turn, `user name=file`.
 *
 * @example
 * fileMessage([{ path: 'data.csv', size: 10_000 }]) // => { role: 'user', name: 'file', content: '[{"path": "data.csv", "size": "10K"}]' }
 */
export function fileMessage(files: readonly CodeFile[]): ChatMessage {
  const listed = files.map(({ path, size }) => ({ path, size: showSize(size) }))
  return { role: 'user', name: 'file', content: stringifyJson(listed, { ensureAscii: false }) }
}

/**
 * A size as the document writes it: whole kibibytes, rounded up; from 1,024 KiB on, mebibytes.
 *
 * @example
 * showSize(1) // => '1K'
 * showSize(3_500_000) // => '4M'
 */
export function showSize(bytes: number): string {
  const kibibytes = Math.max(1, Math.ceil(bytes / 1024))
  return kibibytes < 1024 ? `${kibibytes}K` : `${Math.ceil(kibibytes / 1024)}M`
}
