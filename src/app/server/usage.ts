import type { Reply } from '../../model/language-model/language-model.ts'

/** Counts the tokens of a request: a prompt once, however many replies it gets. */
export class Usage {
  #prompt = 0
  #reused = 0
  #reply = 0

  add({ prompt, reused, reply }: Reply['tokens'], isFirst: boolean): void {
    if (isFirst) {
      this.#prompt += prompt
      this.#reused += reused
    }
    this.#reply += reply
  }

  tell() {
    return {
      prompt_tokens: this.#prompt,
      completion_tokens: this.#reply,
      total_tokens: this.#prompt + this.#reply,
      prompt_tokens_details: { cached_tokens: this.#reused },
    }
  }
}
