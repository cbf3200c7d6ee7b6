import { limits } from '../errors/limits.ts'
import { PromptError } from '../errors/prompt-error.ts'

/** What a template may still do; renders of one prompt share it. */
export class GoBudget {
  readonly #where: string
  #steps: number
  #characters: number = limits.templateOutput

  constructor(where: string, steps = 4 * limits.templateSteps) {
    this.#where = where
    this.#steps = steps
  }

  /** Counts values that are read, and long texts. */
  step(count = 1): void {
    this.#steps -= count
    if (this.#steps < 0) this.#fail('the template takes too many steps')
  }

  write(characters: number): void {
    this.#characters -= characters
    if (this.#characters < 0) this.#fail(`the template writes more than ${limits.templateOutput.toLocaleString('en-US')} characters`)
  }

  #fail(problem: string): never {
    throw new PromptError('template-limit', { where: this.#where, problem, fix: 'make it simpler' })
  }
}
