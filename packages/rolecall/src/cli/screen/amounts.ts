import { fixed } from '../../evaluation/run/record/round.ts'
import type { Cost } from '../../evaluation/run/record/run-record.ts'
import { clock } from '../run/progress.ts'

/**
 * Amounts of money with equally many decimals: two significant digits for the smallest.
 *
 * @example
 * moneyTexts([{ amount: 0.02142, currency: 'USD' }, { amount: 0.0021, currency: 'USD' }]) // => ['0.0214 USD', '0.0021 USD']
 */
export function moneyTexts(costs: readonly Cost[]): string[] {
  const smallest = Math.min(...costs.map(({ amount }) => amount).filter((amount) => amount > 0))
  const digits = Number.isFinite(smallest) ? Math.min(12, Math.max(2, 1 - Math.floor(Math.log10(smallest)))) : 2
  return costs.map(({ amount, currency }) => `${fixed(amount, digits)} ${currency}`)
}

/** `2.4 s`, `32 s`, `3:05`, `1:02:09`. */
export function durationText(seconds: number): string {
  if (seconds < 9.95) return `${fixed(seconds, 1)} s`
  return seconds < 59.5 ? `${fixed(seconds, 0)} s` : clock(seconds)
}

/** `1 row`, `14,042 rows`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
