import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Chunks } from '../../dataset/chunks.ts'
import type { Pair } from '../plan-run.ts'
import type { DataNote } from './data-note.ts'
import { GoldTest } from './gold-test.ts'
import { hasFunction } from './has-function.ts'
import { masksAnswer } from './masked-answer.ts'
import { RowFaults } from './row-faults.ts'

/** Rows after these are not examined. */
export const mostExamined = 200_000

/** What the rows of a pair's dataset show before anything is sent. */
export type Examined = {
  notes: readonly DataNote[]
  /** Why no answer can be scored right. */
  refusal?: DataNote | undefined
  /** Why gold answers were not tested. */
  untested?: string | undefined
}

/** Reads the rows of a dataset once: tests its gold answers, and looks for faults in the data. */
export async function examinePair(pair: Pair, chunks: Chunks<Row>, now: () => number): Promise<Examined> {
  const untested = whyUntested(pair)
  const gold = untested === undefined ? new GoldTest(pair, now) : undefined
  const faults = new RowFaults(pair)
  const masked: DataNote[] = []
  let id = 0
  reading: for await (const chunk of chunks) {
    for (const row of chunk) {
      if (id >= mostExamined) break reading
      if (id === 0 && masksAnswer(pair, row)) masked.push(maskedNote(pair))
      gold?.add(row, id)
      faults.add(row, id)
      id++
    }
  }
  const refusal = gold?.refusal()
  const notes = [...(gold?.notes() ?? []), ...masked.map((note) => ({ ...note, rows: id })), ...faults.notes()]
  const limited = id >= mostExamined ? notes.map((note) => ({ ...note, text: `${note.text} (of the first ${id} rows)` })) : notes
  return { notes: limited, ...(refusal ? { refusal } : {}), ...(untested === undefined ? {} : { untested }) }
}

function maskedNote({ dataset, name }: Pair): DataNote {
  const column = dataset.reader_cfg?.output_column
  const place = dataset.infer_cfg.prompt_template ? 'prompt_template' : 'ice_template'
  const text = `{${column}} is the gold answer, and the template shows it in the question: it is left blank there`
  return { code: 'answer-masked', where: `${name.dataset} › infer_cfg.${place}`, text, rows: 0 }
}

/** All findings; the refusal of a pair that may run nevertheless is one of them. */
export function findingsOf({ notes, refusal }: Examined = { notes: [] }): readonly DataNote[] {
  return refusal && !notes.some(({ code }) => code === refusal.code) ? [refusal, ...notes] : notes
}

/** The same as warnings: their texts have the number of rows. */
export function notesOf(examined: Examined | undefined): Note[] {
  return findingsOf(examined).map(({ rows: _, ...note }) => note)
}

/** Why the gold answers of a pair cannot be tested as replies; undefined if they can. */
function whyUntested({ dataset, model, evaluator, inferencer, maker, hasNoScore, isBaseline }: Pair): string | undefined {
  if (hasNoScore || isBaseline) return 'answers are not scored'
  if (evaluator.asks) return 'a model judges the answers'
  if (evaluator.runs) return 'programs test the answers'
  if (evaluator.embeds) return 'an embedding model compares the answers'
  if (hasFunction([dataset.eval_cfg, model.pred_postprocessor])) return "the config's own functions only see real replies"
  if (evaluator.whyNoChoice) return undefined
  if (evaluator.kind === 'quantity') return `${evaluator.metric} measures answers, and none is right`
  if (evaluator.readsCalls) return 'tool calls are scored, and gold answers are not written as calls'
  if (evaluator.goldIsNoReply) return 'gold answers are not written as replies'
  if (!evaluator.needsReference && !evaluator.standIn) return 'answers are compared with no gold answer'
  const hasLabels = maker.labels !== undefined || dataset.infer_cfg.inferencer?.choices !== undefined
  if (inferencer.needs === 'score' && !hasLabels) return 'likelihoods are compared without labels'
  return undefined
}

/** The error for a pair none of whose answers can be scored right. */
export function unscorable({ code, where = '', text }: DataNote): PromptError {
  const fix =
    code === 'no-gold'
      ? 'name the column with the right answers, or collect answers only: --no-score'
      : 'change the evaluator, the postprocessors or the gold answers, so that each gold answer is right'
  return new PromptError(code, { where, problem: text, fix: `${fix}; --allow-unscorable runs it as it is` })
}
