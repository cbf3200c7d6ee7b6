/**
 * Some of many slow cases that are alike: a few at every `npm test`, other ones each day, and all of them in CI. What each of them
 * alone shows is no matter for this: then it is tested every time.
 */
export function someOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  return process.env.CI ? items : dailyOf(items, count)
}

/** As many, other ones each day, wherever the tests run. */
export function dailyOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  const first = Math.floor(Date.now() / 86_400_000) % items.length
  return items.filter((_, index) => (index - first + items.length) % items.length < count)
}
