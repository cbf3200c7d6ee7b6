import type { Tokenizer } from '../../tokenize/tokenizer.ts'

/** A token as log-probabilities name it: by its text; by its bytes where it holds only some of a character's; by its id where no tokenizer is known. */
export function tokenText(id: number, tokenizer: Pick<Tokenizer, 'bytesOf'> | undefined, asIds = false): string {
  if (asIds || tokenizer === undefined) return `token_id:${id}`
  const bytes = tokenizer.bytesOf(id)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return `bytes:${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`
  }
}
