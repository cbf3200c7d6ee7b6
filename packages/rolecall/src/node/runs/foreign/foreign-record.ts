import { createHash } from 'node:crypto'
import { redactMessage } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { ForeignRow } from '../../../compat/results/foreign-result.ts'
import type { Outcome } from '../../../evaluation/run/record/outcome.ts'
import { noAnswer, recordOf } from '../../../evaluation/run/record/row-record.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { normalQuestion } from '../../../workbench/why/normal-question.ts'

/** A row of another harness as a record of ours: its main metric is the score; all metrics are in `details`. */
export function foreignRecord(row: ForeignRow, place: number, model: string, main: string): RowRecord {
  const { prompt = '', replies, reasoning, metrics, error, gold } = row
  const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt)
  const { score, pred } = metrics[main] ?? {}
  const isFailed = replies.length === 0
  const single = <Item>(items: readonly Item[]): Item | readonly Item[] => (items.length === 1 ? items[0]! : items)
  const details = {
    ...(pred === undefined ? {} : { pred }),
    metrics,
    keys: row.keys,
    row: row.id,
    ...(row.question === undefined ? {} : { question: row.question }),
    ...(row.choices ? { choices: row.choices } : {}),
    ...(row.reasoningIn ? { reasoning_in: row.reasoningIn } : {}),
    ...(row.isExtracted ? { is_extracted: true } : {}),
  } as Record<string, PyValue>
  return recordOf(
    {
      id: place,
      key: hash(text).slice(0, 32) + hash(model).slice(0, 32),
      rowHash: questionHash(row, prompt),
      columns: undefined,
      gold: gold ?? undefined,
      exampleIds: undefined,
      cached: undefined,
    },
    {
      ...noAnswer(row.milliseconds ?? 0),
      prompt_hash: hash(text),
      ...(row.prompt === undefined ? {} : { prompts: [text] }),
      prediction: isFailed ? null : (single(replies) as PyValue),
      reasoning: reasoning && (single(reasoning) as PyValue),
      scores: row.scores,
      finish: row.finish,
      ...(row.tokens ? { tokens: row.tokens } : {}),
    },
    {
      score,
      details,
      ...(error === undefined && !isFailed ? {} : { error: redactMessage(error ?? 'there is no reply') }),
      outcome: outcomeOf(row, score, error ?? (isFailed ? 'no reply' : undefined)),
    },
  )
}

function outcomeOf({ replies, gold }: ForeignRow, score: number | undefined, error: string | undefined): Outcome | undefined {
  if (error !== undefined) return 'failed'
  if (replies.every((reply) => reply.trim() === '')) return 'empty'
  return score === undefined && (gold === undefined || gold === null) ? 'no-gold' : undefined
}

/** The hash that pairs rows of two runs: of the question and its choices in any order, else of the last turn. */
function questionHash({ question, choices = [] }: ForeignRow, prompt: NonNullable<ForeignRow['prompt']>): string {
  const asked = typeof prompt === 'string' ? prompt : (prompt.at(-1)?.content ?? '')
  return hash(JSON.stringify([normalQuestion(question ?? asked), ...[...choices].sort()])).slice(0, 32)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
