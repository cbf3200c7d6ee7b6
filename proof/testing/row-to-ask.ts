import { createHash } from 'node:crypto'
import { planRequests } from '../../packages/rolecall/src/evaluation/run/ask/plan-requests.ts'
import { hashRequests } from '../../packages/rolecall/src/evaluation/run/ask-row.ts'
import { type AskedRow, askedRow, unaskedRow } from '../../packages/rolecall/src/evaluation/run/layers/asked-row.ts'
import { DeferredWrites, type PairContext } from '../../packages/rolecall/src/evaluation/run/pair-context.ts'
import { planRun } from '../../packages/rolecall/src/evaluation/run/plan-run.ts'
import type { RowAnswer, RowRecord } from '../../packages/rolecall/src/evaluation/run/record/run-record.ts'
import type { RowStore, RunEnvironment } from '../../packages/rolecall/src/evaluation/run/run-types.ts'
import { standInModel } from '../../packages/rolecall/src/evaluation/run/stand-in-model.ts'

const notNeeded = () => Promise.reject(new Error('not needed here'))

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const environment: RunEnvironment = { openModel: notNeeded, openRows: notNeeded, now: () => 0, hash }

/** The first row of a dataset of sums, its requests written, for a model that writes at most 8 tokens. */
export function rowToAsk(
  given: Partial<PairContext> = {},
  prices: { price?: { input: number; output: number }; perRow?: number } = {},
): AskedRow {
  const [pair] = planRun(
    [{ abbr: 'm', type: 'openai', path: 'm', format: 'plain', max_out_len: 8, price: prices.price, max_cost_per_row: prices.perRow }],
    [
      {
        abbr: 'sums',
        rows: [{ question: '1+1=?', answer: '2' }],
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
      },
    ],
  )
  if (!pair) throw new Error('a model and a dataset are a pair')
  const plan = planRequests(given.pair ?? pair)
  const context: PairContext = {
    pair,
    environment,
    options: {},
    plan,
    settings: 's'.repeat(32),
    isRepeatable: true,
    columns: [],
    deferred: new DeferredWrites(),
    opened: () => ({ plan, model: standInModel('2') }),
    ...given,
  }
  const row = { question: '1+1=?', answer: '2' }
  return askedRow(unaskedRow(context, row, 0, []), hashRequests(plan, { row, examples: [] }, hash))
}

/** An answer of three tokens; `promptHash`: that of the row above. */
export function answerOf(prediction: string, given: Partial<RowAnswer> = {}): RowAnswer {
  return {
    prompt_hash: hash('1+1=?'),
    prediction,
    finish: 'stop',
    tokens: { prompt: 2, reused: 0, reply: 1 },
    examples: { used: 0, dropped: 0 },
    milliseconds: 5,
    ...given,
  }
}

/** A record of the row above with that key. */
export function recordOfAnswer({ key, rowHash }: AskedRow, answer: RowAnswer, given: Partial<RowRecord> = {}): RowRecord {
  return { id: 0, key, row_hash: rowHash, gold: '2', ...answer, ...given }
}

/** A store in memory. */
export function storeOf(...records: RowRecord[]): RowStore & { added: RowRecord[]; lost: NonNullable<RowStore['lost']>; spent: unknown[] } {
  const added: RowRecord[] = []
  const spent: unknown[] = []
  return {
    added,
    spent,
    find: (_, key) => [...added, ...records].find((record) => record.key === key),
    add: (record) => void added.push(record),
    lost: (id, tokens) => void spent.push({ id, ...tokens }),
  }
}
