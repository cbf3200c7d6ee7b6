import type { Row } from '@rolecall/core/internal/conversation'
import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { judgeRows, promptColumns } from 'rolecall/internal/evaluation/run/judge-prompts'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'

/** A prompt of the judge: its model, its template as that of a dataset, what fills it, and the recorded hash, if there is one. */
export type JudgeQuestion = {
  judge: ModelConfig
  dataset: DatasetConfig /** The row without what is judged. */
  row: Row
  fields: Row
  hash: string | undefined
}

/** The prompts that a judge was sent for a row, by its config and record; none if the config has no judge with a template. */
export function judgeQuestions(
  { abbr = 'dataset', n = 1, eval_cfg: evaluation }: DatasetConfig,
  row: Row,
  { details = {}, gold }: Pick<RowRecord, 'details' | 'gold'>,
): JudgeQuestion[] {
  const evaluator = evaluation?.evaluator as
    | { judge_cfg?: ModelConfig; prompt_template?: unknown; pack_all_predictions?: unknown }
    | undefined
  const { pred = null, opponent, judge_prompt_hashes: hashes } = details
  if (typeof evaluator !== 'object' || !evaluator.judge_cfg || !evaluator.prompt_template) return []
  const { judge_cfg: judge, prompt_template: template } = evaluator
  const dataset: DatasetConfig = { abbr: `${abbr} › eval_cfg.evaluator`, infer_cfg: { prompt_template: template as never } }
  // The replies of a chat are judged as one answer.
  const answer = n === 1 && isList(pred) ? { prediction: pyStr(pred), rounds: pred } : { prediction: pred }
  const reference = gold === undefined ? undefined : (referenceOf(details) ?? gold)
  const rows = judgeRows(
    { columns: promptColumns(template), packsRounds: evaluator.pack_all_predictions === true },
    { row, ...answer, reference, opponent },
  )
  return rows.map((fields, index) => {
    const hash = isList(hashes) ? hashes[index] : undefined
    return { judge, dataset, row, fields, hash: typeof hash === 'string' ? hash : undefined }
  })
}

/** The reference answer, also if a row has several answers. */
function referenceOf({ answer, samples }: Record<string, PyValue>): PyValue | undefined {
  const first = isList(samples) ? (samples[0] as Record<string, PyValue> | undefined) : undefined
  return answer ?? first?.answer
}
