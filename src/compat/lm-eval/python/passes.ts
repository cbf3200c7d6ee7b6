/** What holds while something runs: a first pass collects what is to be done elsewhere, a second one uses the results. */
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
