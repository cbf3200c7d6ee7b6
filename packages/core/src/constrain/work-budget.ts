import { limits } from '../base/errors/limits.ts'

/** Compiling a constraint takes too many steps. */
export class OverBudget extends Error {}

/**
 * Charges the work of compiling a constraint while it is done: schemas come from requests, and alternatives multiply when they are
 * combined. A step is a part of a schema that is looked at, or a state or an edge of an automaton.
 */
export class WorkBudget {
  readonly #steps: number
  #left: number

  constructor(steps: number = limits.constraintSteps) {
    this.#steps = steps
    this.#left = steps
  }

  get left(): number {
    return this.#left
  }

  charge(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new OverBudget(`it takes more than ${this.#steps} steps to combine its parts`)
  }
}
