import { PromptError } from '@rolecall/core/internal/errors'
import { pyEqual } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../python/library/random.ts'
import { defaultSeeds } from '../default-seeds.ts'
import type { Doc } from '../task/field.ts'
import type { Task } from '../task/task.ts'

/**
 * Draws examples as lm-evaluation-harness does: one random generator serves the whole task, so documents must be processed in order.
 * If examples come from the evaluated split, a document is never its own example.
 */
export function exampleSampler(task: Task, count: number, seed = defaultSeeds[3]!): (doc: Doc) => readonly Doc[] {
  const { pool, config } = task
  if (count === 0) return () => []
  if (pool === undefined)
    throw new PromptError('no-examples', {
      where: config.where,
      problem: `it needs ${count} few-shot examples but has no split or samples to take them from`,
      fix: 'use --num-fewshot 0, or name a fewshot_split',
    })
  const isExcluded = config.fewshot.split === config.splits.test
  if (config.fewshot.sampler === 'first_n') return (doc) => firstOf(isExcluded ? pool.filter((one) => !pyEqual(one, doc)) : pool)
  const random = new PythonRandom(seed)
  return (doc) => {
    if (!isExcluded) return random.sample(enough(pool, count), count)
    const drawn = random.sample(enough(pool, count + 1), count + 1).filter((one) => !pyEqual(one, doc))
    if (drawn.length >= count) return drawn.slice(0, count)
    const others = pool.filter((one) => !pyEqual(one, doc))
    return random.sample(enough(others, count), count)
  }

  function firstOf(docs: readonly Doc[]): readonly Doc[] {
    return enough(docs, count).slice(0, count)
  }

  function enough(docs: readonly Doc[], needed: number): readonly Doc[] {
    if (docs.length >= needed) return docs
    throw new PromptError('too-few-examples', {
      where: config.where,
      problem: `${needed} examples are needed, but there are ${docs.length}`,
      fix: 'use fewer examples (--num-fewshot)',
    })
  }
}
