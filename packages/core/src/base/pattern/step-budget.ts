/** The steps of a budget are spent. */
export class StepsSpent extends Error {}

/** How many steps matching may take, over all patterns that share the budget. */
export class StepBudget {
  #left: number

  constructor(steps = Number.POSITIVE_INFINITY) {
    this.#left = steps
  }

  /** Starts again, with this many steps. */
  refill(steps: number): void {
    this.#left = steps
  }

  /** Allows so many more. */
  add(steps: number): void {
    this.#left += steps
  }

  take(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new StepsSpent('matching takes too many steps')
  }
}
