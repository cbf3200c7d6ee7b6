import { showDecimal } from '../texts/numbers.ts'

/** `12 ms`, `3.4 s`. */
export function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${showDecimal(milliseconds / 1000, 1)} s`
}
