import { isShare } from 'rolecall/internal/workbench/why/is-share'
import { differenceText, figureText } from '../figure-text.ts'

/** How an explanation writes scores and differences: shares as percentages. */
export function whyNumbers(report: Parameters<typeof isShare>[0]): { shown: (value: number) => string; signed: (value: number) => string } {
  const [factor, unit] = isShare(report) ? [100, 'percent'] : [1, '']
  return {
    shown: (value) => figureText(factor * value, unit),
    // A sum of rounded parts may be −1e-17.
    signed: (value) => differenceText(Math.abs(value) < 1e-9 ? 0 : factor * value, unit),
  }
}
