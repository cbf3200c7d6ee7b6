/** How often two raters call the same items right or wrong. */
export type RaterCounts = { bothRight: number; onlyFirst: number; onlySecond: number; bothWrong: number }

/**
 * Cohen's kappa of two raters: their agreement beyond what their rates of right answers give by chance. 1 is full agreement, 0 is chance.
 * Undefined if both give every item the same verdict, or without items.
 *
 * @example
 * cohenKappa({ bothRight: 20, onlyFirst: 5, onlySecond: 10, bothWrong: 15 })?.toFixed(2) // => '0.40'
 */
export function cohenKappa({ bothRight, onlyFirst, onlySecond, bothWrong }: RaterCounts): number | undefined {
  const all = bothRight + onlyFirst + onlySecond + bothWrong
  const [first, second] = [(bothRight + onlyFirst) / all, (bothRight + onlySecond) / all]
  const expected = first * second + (1 - first) * (1 - second)
  return all === 0 || expected === 1 ? undefined : ((bothRight + bothWrong) / all - expected) / (1 - expected)
}
