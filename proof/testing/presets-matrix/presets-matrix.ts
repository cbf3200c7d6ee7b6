import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { dictGet, isList, pyStr } from '../../../packages/core/src/base/python/index.ts'
import type { Row } from '../../../packages/core/src/prompt/conversation/row.ts'
import { type DatasetPreset, datasetPresets } from '../../../packages/rolecall/src/compat/benchmarks/index.ts'
import type { DatasetConfig, ModelConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import type { PairResult } from '../../../packages/rolecall/src/evaluation/run/record/run-record.ts'
import { planRun, runPairs } from '../../../packages/rolecall/src/evaluation/run/run-pairs.ts'
import { openPreset } from '../../../packages/rolecall/src/node/config/dataset-presets.ts'
import { allRows, openRows } from '../../../packages/rolecall/src/node/rows/open-rows.ts'
import { nodeEnvironment } from '../../../packages/rolecall/src/node/runs/node-environment.ts'
import { type ScriptedServer, scriptedServer } from '../scripted-server.ts'
import { madeFiles } from './made-files.ts'
import { type AnswerKind, type Golds, nextQuestion, type Wording, wordings } from './wordings.ts'

/** The result of one wording of a dataset's answers. */
export type MatrixCell = {
  wording: string
  comesTo: Wording['comesTo']
  value: number | undefined
  rows: number
  unread: number
  isAsExpected: boolean
}

/** A dataset from files in one layout; a cell is undefined if the wording does not apply to its answers. */
export type MatrixRow = { preset: string; layout: string; dataset: string; cells: (MatrixCell | undefined)[] }

export type MatrixOptions = {
  /** Only these presets. */
  presets?: readonly string[]
  /** A folder with real files, one subfolder per preset; generated files by default. */
  data?: string
  /** Rows per dataset. */
  limit?: number
  /** Whether a row of the matrix, by its index, has only a right and a wrong answer. */
  isBrief?: (index: number) => boolean
}

/** The presets with text answers; tool calls have no wording. */
export const textPresets: readonly DatasetPreset[] = datasetPresets.filter(({ name }) => name !== 'bfcl')

/** The wordings in the order of a row's cells: those of chat models, then a base model's plain text. */
export const columns: readonly Wording[] = [...wordings, nextQuestion]

/** Runs every preset by generation over HTTP against a server that answers each row in every wording. */
export async function* presetsMatrix({ presets, data, limit = 20, isBrief }: MatrixOptions = {}): AsyncGenerator<MatrixRow> {
  const root = mkdtempSync(join(tmpdir(), 'rolecall-matrix-'))
  let rows: readonly Answers[] = []
  let index = 0
  const server = await scriptedServer(({ path, body }) => {
    const { model, messages, prompt } = JSON.parse(body) as { model: string; messages?: { content: string }[]; prompt?: string }
    const said = answerTo(messages?.map(({ content }) => content).join('\n') ?? prompt ?? '', model, rows)
    const reply = path.endsWith('/chat/completions') ? { message: { content: said } } : { text: said }
    return { json: { choices: [{ ...reply, finish_reason: 'stop' }] } }
  })
  try {
    for (const { name, layouts } of textPresets) {
      if (presets && !presets.includes(name)) continue
      for (const layout of data === undefined ? layouts : [{ test: '' }]) {
        const folder = data === undefined ? writeFiles(root, madeFiles[name]?.[layout.test] ?? {}) : join(data, name)
        if (!existsSync(folder)) continue
        const shots = data === undefined ? madeShots(name) : {}
        for (const dataset of openPreset({ preset: name, path: folder, ...shots }, folder, name).datasets) {
          rows = (await allRows(openRows(dataset, folder).test)).slice(0, limit).map((row) => answersOf(row, dataset))
          const cells = await askAll(dataset, folder, server, rows, limit, isBrief?.(index++) ? wordings.slice(0, 2) : columns)
          yield { preset: name, layout: layout.test || folder, dataset: dataset.abbr ?? name, cells }
        }
      }
    }
  } finally {
    await server.close()
    rmSync(root, { recursive: true })
  }
}

/** Generated files have a single example; some presets take none. */
export function madeShots(preset: string): { shots?: number } {
  return ['humaneval', 'sharegpt', 'messages'].includes(preset) ? {} : { shots: 1 }
}

/** Writes files into a new folder. */
export function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(root, 'data-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** These wordings concurrently: each is a separate model. */
async function askAll(
  dataset: DatasetConfig,
  folder: string,
  { url }: ScriptedServer,
  rows: readonly Answers[],
  limit: number,
  tried: readonly Wording[],
) {
  const written = tried.filter((wording) => rows[0] && wording.write(rows[0].golds) !== undefined)
  const models = written.map(({ name }): ModelConfig => {
    const server = { abbr: name, type: 'openai', path: name, base_url: url, max_seq_len: 100_000 }
    return name === nextQuestion.name ? { ...server, format: 'plain', endpoint: 'completions' } : server
  })
  const results = new Map<string, PairResult>()
  for await (const event of runPairs(planRun(models, [dataset]), nodeEnvironment(folder), { limit }))
    if (event.kind === 'end') results.set(event.result.model, event.result)
  return columns.map((wording) => {
    const result = results.get(wording.name)
    return result && cellOf(wording, result)
  })
}

function cellOf({ name, comesTo }: Wording, { value, rows, answers }: PairResult): MatrixCell {
  const unread = answers ? rows - answers.answered - answers.failed : 0
  const isAsExpected = comesTo === 'not read' ? unread === rows && value === 0 : unread === 0 && value === (comesTo === 'right' ? 100 : 0)
  return { wording: name, comesTo, value, rows, unread, isAsExpected }
}

/** How to recognise a row in a prompt, and its answer. */
type Answers = { question: string; choices: readonly string[]; golds: Golds }

function answersOf(row: Row, dataset: DatasetConfig): Answers {
  const kind = kindOf(dataset)
  const column = (name: string) => pyStr(dictGet(row, name) ?? '')
  const choices = ['A', 'B', 'C', 'D'].map(column)
  const gold = kind === 'code' ? column('canonical_solution') : column(dataset.reader_cfg?.output_column ?? '')
  const letter = /[A-Z]/.exec(gold)?.[0] ?? ''
  const listed = [...column('input').matchAll(/^\(([A-Z])\)\s*(.*)$/gm)].find(([, one]) => one === letter)?.[2]
  const { answers = [] } = (dataset.eval_cfg?.pred_postprocessor ?? {}) as { answers?: string[] }
  const right: Readonly<Record<AnswerKind, string>> = {
    choice: letter,
    number: gold.split('#### ').at(-1)!.replaceAll(',', '').trim(),
    closed: gold,
    free: gold,
    code: gold,
    chat: gold,
  }
  const wrong: Readonly<Record<AnswerKind, string>> = {
    choice: letter === 'A' ? 'B' : 'A',
    number: String(Number(right.number) + 1),
    closed: answers.find((answer) => answer.toLowerCase() !== gold.toLowerCase()) ?? '',
    free: `${gold} and more`,
    code: '    raise ValueError\n',
    chat: `${gold} And more.`,
  }
  return {
    question: questionOf(row),
    choices,
    golds: {
      kind,
      right: right[kind],
      wrong: wrong[kind],
      text: listed ?? choices['ABCD'.indexOf(letter)] ?? '',
      isChinese: /^c(?:eval|mmlu)/.test(dataset.abbr ?? ''),
      prompt: column('prompt'),
      next: nextOf(dataset.abbr ?? ''),
    },
  }
}

/** How the questions of a preset start; C-Eval's have their own wording. */
function nextOf(dataset: string): string {
  if (dataset.startsWith('bbh')) return 'Q: '
  return dataset.startsWith('ceval') ? '' : dataset.startsWith('cmmlu') ? '题目：' : 'Question: '
}

const kinds: Readonly<Record<string, AnswerKind>> = {
  choice_answer: 'choice',
  marked_number: 'number',
  final_number: 'number',
  closed_answer: 'closed',
  free_answer: 'free',
  code_answer: 'code',
}

function kindOf({ eval_cfg: { pred_postprocessor: read } = {} }: DatasetConfig): AnswerKind {
  const type = typeof read === 'string' ? read : (read as { type?: string } | undefined)?.type
  return kinds[type ?? ''] ?? 'chat'
}

function questionOf(row: Row): string {
  for (const name of ['question', 'input', 'prompt']) if (dictGet(row, name) !== undefined) return pyStr(dictGet(row, name)!)
  const messages = dictGet(row, 'messages')
  const last = isList(messages) ? messages.findLast((message) => pyStr(dictGet(message as Row, 'role') ?? '') === 'user') : undefined
  return last ? pyStr(dictGet(last as Row, 'content') ?? '') : ''
}

/** The last question in the prompt is the evaluated row; among rows with the same question, the options decide. */
function answerTo(prompt: string, model: string, rows: readonly Answers[]): string {
  const places = rows.map(({ question }) => prompt.lastIndexOf(question.trim()))
  const last = Math.max(...places)
  const candidates = rows.filter((_, index) => places[index] === last)
  const rest = prompt.slice(last)
  const asked = candidates.find(({ choices }) => choices.every((choice) => rest.includes(choice.trim()))) ?? candidates[0]!
  const longest =
    candidates.length === rows.length
      ? asked
      : candidates.reduce((one, other) => (other.question.length > one.question.length ? other : one), asked)
  return columns.find(({ name }) => name === model)?.write(longest.golds) ?? ''
}
