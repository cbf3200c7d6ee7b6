import { bytesOf, type Piece, plain } from '../../../packages/core/src/base/text/index.ts'
import { fitWindow, type WindowOptions } from '../../../packages/core/src/prompt/compile/fit/fit-window.ts'
import { oldSegments } from '../../../packages/core/src/prompt/format/mlc/old-segments.ts'
import { joined } from './new-prompt.ts'
import { oldConversation, saidIn } from './old-prompt.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

/** What a chat sends when its context fills up; each byte is a token in these vectors. */
export function windowSubject(vector: MlcVector): Omit<MlcSubject, 'again'> {
  const { expected, n_tokens: tokens, shifted, warning } = vector
  return {
    vector,
    expected: expected === undefined ? undefined : { sent: expected, tokens, shifted, warned: warning !== undefined },
    produce: () => {
      const { chat, options } = windowOf(vector)
      const decision = fitWindow(chat, options)
      return { sent: joined(decision.pieces), tokens: decision.tokens, shifted: decision.shifted, warned: !decision.fits }
    },
  }
}

export function windowOf(vector: MlcVector) {
  const {
    total_seq_len: used,
    max_window_size: maxWindowSize,
    mean_gen_len: meanGenLen,
    shift_fill_factor: shiftFillFactor,
  } = vector.window!
  const conversation = oldConversation(vector)
  const messages = saidIn(vector, conversation)
  const ids = [...conversation.prefixIds, ...(conversation.addBos ? [1] : [])]
  const options: WindowOptions = { used, maxWindowSize, meanGenLen, shiftFillFactor, count, keepLast }
  const chat = {
    prefix: ids.length === 0 ? [] : [{ ids, source: { by: 'tokenizer', path: 'prefix' } as const }],
    all: oldSegments(conversation, messages, { from: 'start' }),
    hasSystem: conversation.style === 'chat' && conversation.system.before + conversation.system.text + conversation.system.after !== '',
    lastRound: used === 0 ? [] : oldSegments(conversation, messages, { from: 'last-round' }).flat(),
  }
  return { chat, options }
}

function count(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + ('ids' in piece ? piece.ids.length : bytesOf([piece]).length), 0)
}

function keepLast(pieces: readonly Piece[], tokens: number): Piece[] {
  const bytes = bytesOf(pieces)
  const text = new TextDecoder().decode(bytes.slice(Math.max(0, bytes.length - tokens)))
  return [plain(text, { by: 'format', path: 'cut' })]
}
