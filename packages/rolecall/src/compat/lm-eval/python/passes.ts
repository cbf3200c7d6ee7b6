/** What holds while something runs: a first pass collects requests, a second one uses their results. */
export class Passes<Pass> {
  current: Pass | undefined

  during<Result>(pass: Pass, run: () => Result): Result {
    const before = this.current
    this.current = pass
    try {
      return run()
    } finally {
      this.current = before
    }
  }
}
