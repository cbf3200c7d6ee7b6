import type { ModelReply } from '../model/language-model/language-model.ts'

/** Sums up the tokens of a request; a prompt with several replies counts once. */
export class Usage {
  #prompt = 0
  #reused = 0
  #reply = 0

  add({ prompt, reused, reply }: ModelReply['tokens'], isFirst: boolean): void {
    if (isFirst) {
      this.#prompt += prompt
      this.#reused += reused
    }
    this.#reply += reply
  }

  toJson() {
    return {
      prompt_tokens: this.#prompt,
      completion_tokens: this.#reply,
      total_tokens: this.#prompt + this.#reply,
      prompt_tokens_details: { cached_tokens: this.#reused },
    }
  }
}
