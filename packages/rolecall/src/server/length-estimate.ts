import type { Prompt } from '@rolecall/core/internal/format'
import { bodyOf } from '@rolecall/core/internal/format'
import type { ModelReply } from '../model/language-model/language-model.ts'

/** Before the first reply: a common value for English and code in large vocabularies. */
const usualBytesPerToken = 3.5

/** Replies that count; older ones fade. */
const window = 16

/** Estimates how many tokens prompts have if only the upstream server has the tokenizer: by what it has counted for earlier ones. */
export class LengthEstimate {
  #bytes = 0
  #tokens = 0
  #replies = 0

  observe(prompt: Prompt, { prompt: tokens, unreported }: ModelReply['tokens']): void {
    if (unreported || tokens <= 0) return
    const fade = this.#replies < window ? 1 : 1 - 1 / window
    this.#bytes = this.#bytes * fade + bytesOf(prompt)
    this.#tokens = this.#tokens * fade + tokens
    this.#replies++
  }

  of(prompt: Prompt): number {
    const bytesPerToken = this.#tokens === 0 ? usualBytesPerToken : this.#bytes / this.#tokens
    return Math.ceil(bytesOf(prompt) / bytesPerToken)
  }

  /** What the estimate is based on. */
  get basis(): string {
    return this.#replies === 0
      ? `${usualBytesPerToken} bytes per token, since the upstream server has counted none yet`
      : `what the upstream server counted for ${this.#replies} earlier ${this.#replies === 1 ? 'prompt' : 'prompts'}`
  }
}

function bytesOf(prompt: Prompt): number {
  if (prompt.kind === 'chat') {
    const tools = prompt.tools === undefined ? 0 : prompt.tools.reduce((sum, { schema }) => sum + JSON.stringify(schema).length, 0)
    return Buffer.byteLength(bodyOf(prompt)) + tools
  }
  let bytes = 0
  for (const piece of prompt.pieces) {
    // An id is a token.
    bytes += 'text' in piece ? Buffer.byteLength(piece.text) : 'ids' in piece ? piece.ids.length * usualBytesPerToken : 0
  }
  return bytes
}
