import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { runEvaluation } from '../../../packages/rolecall/src/node/runs/run-evaluation.ts'
import { openWhySide } from '../../../packages/rolecall/src/node/runs/why-side.ts'
import { explain, type WhyReport } from '../../../packages/rolecall/src/workbench/why/explain.ts'

type Setup = {
  format: string
  bos: 'in-prompt' | 'none'
  examples: number[]
  maxOutLen: number
  postprocessor: { type: string; pattern?: string }
  evaluator: string
}

const base: Setup = {
  format: 'internlm2',
  bos: 'in-prompt',
  examples: [0, 1],
  maxOutLen: 12,
  postprocessor: { type: 'last_number' },
  evaluator: 'AccEvaluator',
}

/** Set-ups that differ from the first in one thing, and what `why` must find. */
const variants: readonly { name: string; cause: string; change: Partial<Setup> }[] = [
  { name: 'plain text instead of the chat format', cause: 'chat template', change: { format: 'plain' } },
  { name: 'the two examples in reverse order', cause: 'shot order', change: { examples: [1, 0] } },
  { name: 'replies cut after 2 tokens', cause: 'max tokens', change: { maxOutLen: 2 } },
  {
    name: 'at most three digits instead of the last number',
    cause: 'extraction',
    change: { postprocessor: { type: 'regex', pattern: '\\d{1,3}' } },
  },
  { name: 'Math401Evaluator (nearly equal numbers) instead of AccEvaluator', cause: 'scorer', change: { evaluator: 'Math401Evaluator' } },
  { name: 'no BOS', cause: 'BOS', change: { bos: 'none' } },
]

export type StudyRow = { name: string; cause: string; report: WhyReport }

/** Runs the embedded model on one dataset through the set-ups and explains each against the first. */
export async function runStudy(): Promise<StudyRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rolecall-why-'))
  try {
    const run = async (setup: Setup, name: string) => {
      const { folder: at } = await runEvaluation(configOf(setup), {
        workDir: join(folder, name.replaceAll(/\W+/g, '-')),
        cache: false,
        allowUnscorable: true,
      })
      return openWhySide({ folder: at, name })
    }
    const first = await run(base, 'base')
    const rows: StudyRow[] = []
    for (const { name, cause, change } of variants) {
      const second = await run({ ...base, ...change }, name)
      rows.push({ name, cause, report: explain(first.side, second.side) })
      second.close()
    }
    first.close()
    return rows
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function configOf({ format, bos, examples, maxOutLen, postprocessor, evaluator }: Setup): Config {
  const numbers = Array.from(
    { length: 24 },
    (_, index) => [((911 * index) % 1900) + 900 * index, ((1213 * index) % 1700) + 800 * index] as const,
  )
  const rows = numbers.map(([one, other]) => ({ question: `${one}+${other}=?`, answer: String(one + other) }))
  const turns = {
    round: [
      { role: 'HUMAN', prompt: '{question}' },
      { role: 'BOT', prompt: '{answer}' },
    ],
  }
  return {
    models: [
      { abbr: 'tiny', type: 'embedded', format, max_out_len: maxOutLen, ...(format === 'internlm2' ? { format_options: { bos } } : {}) },
    ],
    datasets: [
      {
        abbr: 'sums',
        rows,
        train_rows: [
          { question: '2+3=?', answer: '5' },
          { question: '20+22=?', answer: '42' },
        ],
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: {
          ice_template: { template: turns },
          prompt_template: { template: { begin: '</E>', round: turns.round }, ice_token: '</E>' },
          retriever: { type: 'FixKRetriever', fix_id_list: examples },
          inferencer: { type: 'GenInferencer' },
        },
        eval_cfg: { evaluator: { type: evaluator }, pred_postprocessor: postprocessor },
      },
    ],
  }
}

/** The results as a Markdown table. */
export function studyTable(rows: readonly StudyRow[]): string {
  const points = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(100 * value).toFixed(1)}`
  const lines = rows.map(({ name, report }) => {
    const found = report.causes.map(
      ({ step, cause, effect, changed }) => `${step}: ${cause} ${points(effect)} (${changed.length} other replies)`,
    )
    return `| ${name} | ${(100 * report.first.score!).toFixed(1)} → ${(100 * report.second.score!).toFixed(1)} | ${found.join('; ')} |`
  })
  return ['| set-up | score | what `why` finds |', '|---|---|---|', ...lines].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const table = studyTable(await runStudy())
  console.log(table)
  for (const page of process.argv.includes('--write') ? ['why.md', 'why.zh-CN.md'] : []) {
    const file = new URL(`../../../docs/${page}`, import.meta.url)
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(/(<!-- study -->\n)[\s\S]*?(<!-- \/study -->)/, (_, begin: string, end: string) => `${begin}${table}\n${end}`),
    )
  }
}
