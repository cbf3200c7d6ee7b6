import type { Row } from '@rolecall/core/internal/conversation'
import type { PyValue } from '@rolecall/core/internal/python'
import type { RequestPlan } from './ask/inferencer.ts'
import type { JudgeVerdict } from './ask-judge.ts'
import type { OpenedPair } from './ask-row.ts'
import type { AnswerToJudge } from './judge-prompts.ts'
import type { Pair } from './plan-run.ts'
import type { RowRecord } from './record/run-record.ts'
import type { AnswerCache, RowStore, RunEnvironment, RunOptions } from './run-types.ts'

/** What the rows of a pair share. */
export type PairContext = {
  pair: Pair
  environment: RunEnvironment
  options: RunOptions
  /** The request plan; it gets the model's tokenizer once the model is open, if the prompts need it. */
  plan: RequestPlan
  /** The second half of every row's key. */
  settings: string
  /** Whether the model would give the same answer again. */
  isRepeatable: boolean
  /** The seed of each row, if answers are sampled. */
  draws?: (row: number) => number
  /** The columns that are recorded. */
  columns: readonly string[]
  /** The index of an example in its file. */
  exampleNumber?: (example: Row) => number | undefined
  store?: RowStore
  cache?: AnswerCache
  /** The model or program that judges the answers. */
  referee?: Referee
  /** Keeps answers for comparison with those of other models. */
  keepAnswer?: (id: number, answer: PyValue) => void
  /** Records of failed requests, written once the server answers again: an unreachable server fails no row. */
  deferred: DeferredWrites
  /** The model, opened when the first row is sent. */
  opened(): OpenedPair | Promise<OpenedPair>
  /** The judge, opened before the first row is sent to remote workers. */
  judgeOpened?: () => Promise<unknown>
}

/** Writes that wait until something else confirms them. */
export class DeferredWrites {
  readonly #held: (() => void)[] = []

  add(write: () => void): void {
    this.#held.push(write)
  }

  settle(): void {
    while (this.#held.length > 0) this.#held.shift()!()
  }
}

/** Judges answers: a model, or a program that tests them. */
export type Referee = {
  /** For errors; the name of the model if there is one. */
  name: string
  judge(answer: AnswerToJudge, before: RowRecord | undefined, id: number): Promise<JudgeVerdict>
}
