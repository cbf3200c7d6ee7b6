/** A rate limit that several processes keep together. */
export type SharedPace = {
  /** Takes the next place in the row, so many milliseconds after the one before; says how long to wait for it. */
  takeTurn(spacing: number): Promise<number>
  /** Nobody sends anything for so many milliseconds. */
  pause(milliseconds: number): void
}
