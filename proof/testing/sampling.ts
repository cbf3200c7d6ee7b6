/**
 * CI and `npm run test:all` try everything; `npm test` tries a sample. The sample depends on the seed alone, never on the date:
 * `vitest.config.ts` derives it from the commit and every run prints it, so that `ROLECALL_SEED=… npm test` repeats a run.
 */
export const triesAll = Boolean(process.env.CI)

/** The seed of this run; property tests draw their values from it as well (`proof/testing/setup.ts`). */
export const seed = Number(process.env.ROLECALL_SEED ?? 1)

/** A sample of many similar slow cases; CI runs all of them. A case that covers something no other case does belongs in a separate test. */
export function someOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  return triesAll ? items : sampleOf(items, count)
}

/** A sample of the given size, in CI too. */
export function sampleOf<Item>(items: readonly Item[], count: number, from = seed): readonly Item[] {
  return items
    .map((item, index) => ({ item, index, rank: mix(from, index) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item)
}

/** How often a slow property is tried: a quarter of the runs in CI, whose seed changes with every commit, and a tenth in `npm test`. */
export function propertyRuns(full: number): number {
  return Math.ceil(full / (triesAll ? 4 : 10))
}

/** 32 bits that look random; the finalizer of MurmurHash3. */
function mix(seed: number, index: number): number {
  let bits = (seed ^ Math.imul(index + 1, 0x9e3779b9)) >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
