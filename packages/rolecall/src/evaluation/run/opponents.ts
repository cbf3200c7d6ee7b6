import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, type PyValue } from '@rolecall/core/internal/python'
import type { Pair } from './plan-run.ts'

/**
 * The baseline answers for comparison, by dataset and row. They stay in memory during a run: a pairwise judgement
 * costs far more than storing an answer.
 */
export class Opponents {
  readonly #answers = new Map<string, Map<number, PyValue>>()

  /** Stores the answers of a pair if it is a baseline. */
  keeperOf(pair: Pair): ((id: number, answer: PyValue) => void) | undefined {
    if (!pair.isBaseline) return undefined
    const answers = new Map<number, PyValue>()
    this.#answers.set(keyOf(pair), answers)
    return (id, answer) => void answers.set(id, answer)
  }

  /** The answer that an answer of this pair is compared with. */
  of(pair: Pair, id: number, row: Row): PyValue {
    const { against } = pair.evaluator.asks!
    const isColumn = 'column' in against!
    const found = isColumn ? dictGet(row, against.column) : this.#answers.get(keyOf(pair))?.get(id)
    if (found !== undefined && found !== null) return found
    throw new PromptError('no-opponent', {
      where: `${pair.name.dataset} › eval_cfg.evaluator`,
      problem: isColumn ? `the row has nothing in "${against.column}" to compare with` : `${against!.model} has no answer to compare with`,
      fix: isColumn ? 'give every row an answer in it' : 'retry it (rolecall run -r --retry-errors)',
    })
  }
}

/** The same dataset, and with `--formats` the same format. */
function keyOf({ name: { dataset, format } }: Pair): string {
  return JSON.stringify([dataset, format])
}

/** Baselines run first. */
export function baselinesFirst(pairs: readonly Pair[]): readonly Pair[] {
  const baselines = pairs.filter(({ isBaseline }) => isBaseline)
  return baselines.length === 0 ? pairs : [...baselines, ...pairs.filter(({ isBaseline }) => !isBaseline)]
}
