import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { InspectTask } from './eval-yaml.ts'
import { promptOfTask, taskColumns } from './prompt-of-task.ts'
import { rowsOfTask } from './task-rows.ts'

type Given = { name: string; task: InspectTask; records: readonly Row[]; where: string; note: (note: Note) => void }

/** A task of `eval.yaml` as a dataset of a config. */
export function datasetOfTask({ name, task, records, where, note }: Given): object {
  const { messages, columns, maxTokens, isChoice, severalCorrect, unused } = promptOfTask(task, where)
  if (task.scorers.some(({ name: scorer }) => scorer === 'choice') && !isChoice)
    throw new PromptError('bad-task', { where, problem: 'the scorer "choice" needs the solver multiple_choice', fix: 'correct eval.yaml' })
  if (task.shuffle_choices)
    note({
      code: 'inspect-shuffle',
      where: name,
      text: 'the choices are shuffled once, with the seed 0; Inspect shuffles them anew in every run',
    })
  if (task.scorers.some(({ name: scorer }) => scorer === 'math'))
    note({ code: 'inspect-math', where: name, text: 'formulas are compared by MATHVerifyEvaluator, not by the parser of Inspect' })
  const sandboxed = (['sandbox', 'files', 'setup'] as const).filter((key) => task.field_spec[key] != null)
  for (const ignored of [...unused, ...sandboxed.map((key) => `${key} of field_spec`)])
    note({ code: 'inspect-ignored', where: name, text: `${ignored} is ignored; settings of the reply can be set for the model` })
  return {
    abbr: name,
    rows: rowsOfTask(records, task, where),
    reader_cfg: { input_columns: columns, output_column: taskColumns.target },
    infer_cfg: {
      prompt_template: { messages },
      retriever: { type: 'ZeroRetriever' },
      inferencer: { type: 'GenInferencer', ...(maxTokens === undefined ? {} : { max_out_len: maxTokens }) },
    },
    eval_cfg: {
      evaluator: {
        type: 'InspectScorer',
        scorers: task.scorers.map(({ name: scorer, args }) => ({ name: scorer, ...args })),
        ...(severalCorrect ? { multiple_correct: true } : {}),
      },
    },
    ...repetitions(task, where),
  }
}

/** Epochs are answers to the same row; their mean is the metric, or pass@k. */
function repetitions({ epochs, epoch_reducer: reducer }: InspectTask, where: string): object {
  const [, k] = /^pass_at_(\d+)$/.exec(reducer ?? '') ?? []
  if (reducer != null && reducer !== 'mean' && k === undefined && epochs > 1)
    throw new PromptError('unsupported-task', {
      where: `${where} › epoch_reducer`,
      problem: `the answers to a row are reduced by "${reducer}", which is not done here`,
      fix: 'use mean or pass_at_K, or run the task with Inspect',
    })
  return epochs === 1 ? {} : { n: epochs, ...(k === undefined ? {} : { k: Number(k) }) }
}
