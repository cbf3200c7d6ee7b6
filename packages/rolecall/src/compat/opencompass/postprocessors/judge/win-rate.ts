import { PromptError } from '@rolecall/core/internal/errors'

/** A number of comparisons between two models with the same result: 1 if the first wins, -1 if the second does, 0 for a tie. */
export type Battle = { first: string; second: string; gain: number; times: number }

/**
 * The win probability of the best model other than the baseline against the baseline, by maximum-likelihood ratings (Bradley
 * and Terry). A tie is half a win for both.
 *
 * @example
 * winRate([{ first: 'a', second: 'b', gain: 1, times: 3 }, { first: 'a', second: 'b', gain: -1, times: 1 }], 'b') // => 0.75
 */
export function winRate(battles: readonly Battle[], base: string): number {
  const models = [...new Set(battles.flatMap(({ first, second }) => [first, second]))]
  const others = models.filter((model) => model !== base)
  if (others.length === models.length || others.length === 0) {
    throw new PromptError('wrong-baseline', {
      where: 'the gold answers › answer1, answer2',
      problem: others.length === 0 ? 'the baseline is compared with itself' : `the baseline "${base}" is in none of the comparisons`,
      fix: `set base_model_name to one of: ${models.join(', ')}`,
    })
  }
  const strengths = strengthsOf(models, battles)
  const best = others.reduce((one, other) => (strengths.get(other)! > strengths.get(one)! ? other : one))
  return strengths.get(best)! / (strengths.get(best)! + strengths.get(base)!)
}

/** Zermelo's iteration: a model's strength is its number of wins divided by its expected opportunities. */
function strengthsOf(models: readonly string[], battles: readonly Battle[]): Map<string, number> {
  const wins = new Map(models.map((model) => [model, 0]))
  for (const { first, second, gain, times } of battles) {
    wins.set(first, wins.get(first)! + (times * (gain + 1)) / 2)
    wins.set(second, wins.get(second)! + (times * (1 - gain)) / 2)
  }
  if (models.length === 2) return wins
  let strengths = new Map(models.map((model) => [model, 1]))
  for (let round = 0; round < mostRounds; round++) {
    const chances = new Map(models.map((model) => [model, 0]))
    for (const { first, second, times } of battles) {
      const chance = times / (strengths.get(first)! + strengths.get(second)!)
      for (const model of [first, second]) chances.set(model, chances.get(model)! + chance)
    }
    const next = models.map((model) => [model, wins.get(model)! / chances.get(model)!] as const)
    const total = next.reduce((sum, [, strength]) => sum + strength, 0)
    const change = Math.max(...next.map(([model, strength]) => Math.abs((strength / total) * models.length - strengths.get(model)!)))
    strengths = new Map(next.map(([model, strength]) => [model, (strength / total) * models.length]))
    if (change < 1e-12) break
  }
  return strengths
}

const mostRounds = 10_000
