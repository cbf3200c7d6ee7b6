import { examplesColumn } from '../../packages/rolecall/src/compat/lm-eval/dataset/documents-as-rows.ts'
import { type TaskSpec, taskRows } from '../../packages/rolecall/src/compat/lm-eval/dataset/task-spec.ts'
import { registerLmEval } from '../../packages/rolecall/src/compat/lm-eval/register.ts'
import { compilePrompt } from '../../packages/rolecall/src/datasets.ts'
import { ByteSink } from '../../packages/rolecall/src/formats.ts'
import type { DatasetConfig } from '../../packages/rolecall/src/index.ts'
import { perSecond } from './measure.ts'
import type { Measurement } from './rendering.ts'
import { choiceData } from './rendering-cases.ts'

const shots = 5

/** The documents of the OpenCompass cases as an lm-evaluation-harness task; each has five different examples. */
function specOf(): TaskSpec {
  const pool = choiceData.train.map((row) => JSON.stringify(row))
  const rows = choiceData.test.map((row, index) =>
    JSON.stringify({ ...row, [examplesColumn]: Array.from({ length: shots }, (_, shot) => (index * shots + shot) % pool.length) }),
  )
  return {
    file: 'mmlu.yaml',
    task: {
      task: 'mmlu',
      output_type: 'multiple_choice',
      test_split: 'test',
      fewshot_split: 'dev',
      description: 'The following are multiple choice questions (with answers).\n\n',
      doc_to_text: '{{question.strip()}}\nA. {{A}}\nB. {{B}}\nC. {{C}}\nD. {{D}}\nAnswer:',
      doc_to_choice: ['A', 'B', 'C', 'D'],
      doc_to_target: 'target',
    },
    files: {},
    rows,
    pool,
    apply_chat_template: false,
    fewshot_as_multiturn: false,
  }
}

/** Prompts of a 5-shot MMLU task: one per choice, as text and with full provenance. */
export function measureTasks(): [string, Measurement][] {
  registerLmEval()
  const spec = specOf()
  const dataset = {
    abbr: 'mmlu',
    infer_cfg: { inferencer: { type: 'LmEvalLikelihoodInferencer' } },
    lm_eval: spec,
  } as unknown as DatasetConfig
  const maker = compilePrompt({ format: 'chatml' }, dataset)
  const prepared = ['0', '1', '2', '3'].map((label) => maker.prepare({ mode: 'ppl', label }))
  // Each round reads its rows again, so that nothing is cached from the previous round.
  let rows = taskRows([...spec.rows])
  const rowAt = (index: number) => {
    const place = Math.floor(index / prepared.length) % rows.length
    if (place === 0 && index % prepared.length === 0) rows = rows.map((row) => ({ ...row }))
    return rows[place]!
  }
  const finished = Array.from({ length: rows.length * prepared.length }, (_, index) =>
    prepared[index % prepared.length]!.text(rowAt(index)),
  )
  const sink = new ByteSink(1 << 20)
  const encoder = new TextEncoder()
  const floor = perSecond((index) => encoder.encodeInto(finished[index % finished.length]!, sink.bytes))
  const measurement = (rate: number): Measurement => ({
    perSecond: Math.round(rate),
    floorRatio: Number((floor / rate).toFixed(2)),
    characters: finished[0]!.length,
  })
  const write = perSecond((index) => {
    sink.clear()
    prepared[index % prepared.length]!.write(rowAt(index), sink)
  })
  const withProvenance = perSecond((index) => void prepared[index % prepared.length]!.prompt(rowAt(index)))
  return [
    ['lm-eval-mmlu-5shot', measurement(write)],
    ['lm-eval-mmlu-5shot-provenance', measurement(withProvenance)],
  ]
}
