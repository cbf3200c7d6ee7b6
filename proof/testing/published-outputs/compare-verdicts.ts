import { readFileSync } from 'node:fs'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { Row } from '../../../packages/core/src/prompt/conversation/row.ts'
import { datasetPresets } from '../../../packages/rolecall/src/compat/benchmarks/index.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { evaluatorOf } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import type { PostprocessorConfig } from '../../../packages/rolecall/src/evaluation/score/postprocess/postprocessor.ts'
import { type Reader, readerOf } from '../../../packages/rolecall/src/evaluation/score/postprocess/postprocessors.ts'

registerOpenCompass()

/** A published reply: the benchmark's verdict, and ours. `isFound` is false where we read no answer. */
export type ComparedVerdict = { said: string; gold: string; theirs: boolean; ours: boolean; isFound: boolean; isCut: boolean }

/** Compares the verdicts of a file of published outputs. */
export type Comparison = (path: string, others: readonly string[]) => ComparedVerdict[]

/** Published files that can be compared, by the name of the benchmark. */
export const comparisons: Readonly<Record<string, Comparison>> = { 'mmlu-pro': mmluPro, gsm8k, ifeval }

/** `model_outputs_*.json` of the repository of MMLU-Pro: `pred` is what its patterns extracted. */
function mmluPro(path: string): ComparedVerdict[] {
  const read = readerOf({ type: 'choice_answer', options: 'ABCDEFGHIJ', choices: 'options' }, path)
  return rowsOf(path).map((row) => {
    const said = textOf(path, row.generated_text ?? row.model_outputs ?? row.response)
    const gold = textOf(path, row.answer)
    const { value, isFound } = read(said, { options: row.options as PyValue })
    return { said, gold, theirs: row.pred === gold, ours: isFound && value === gold, isFound, isCut: false }
  })
}

/** `example_model_solutions.jsonl` of GSM8K: each row has several models' solutions. Complete ones end with a line "A: 18". */
function gsm8k(path: string): ComparedVerdict[] {
  const { eval_cfg: scoring } = datasetPresets.find(({ name }) => name === 'gsm8k')!.dataset({ mode: 'gen', shots: 0, subject: '' })
  const read: Reader = readerOf(scoring!.pred_postprocessor, path)
  const evaluator = evaluatorOf({ type: 'MarkedNumberEvaluator' }, true, path)
  return rowsOf(path).flatMap((row) => {
    const gold = textOf(path, row.ground_truth).split('A: ').at(-1)!.replaceAll(',', '').trim()
    const solutions = Object.values(row).filter((value) => isRecord(value)) as Record<string, unknown>[]
    return solutions.map((solution): ComparedVerdict => {
      const said = textOf(path, solution.solution)
      const isCut = !/^A: /m.test(said)
      const { value, isFound } = read(said, undefined, isCut)
      const { score } = evaluator.judge({ prediction: value, reference: gold, row: {} })
      return { said, gold, theirs: solution.is_correct === true, ours: isFound && score === 1, isFound, isCut }
    })
  })
}

/** `eval_results_strict.jsonl` of IFEval's script, with the input file for the arguments of the instructions. */
function ifeval(path: string, [input]: readonly string[]): ComparedVerdict[] {
  if (input === undefined)
    throw new PromptError('usage', {
      where: path,
      problem: 'the input file is missing',
      fix: 'write --ifeval RESULTS --input input_data.jsonl',
    })
  const kwargs = new Map(rowsOf(input).map((row) => [row.prompt, row.kwargs]))
  const evaluator = evaluatorOf({ type: 'IFEvaluator' }, true, path)
  return rowsOf(path).map((row) => {
    const said = textOf(path, row.response)
    const reference = { instruction_id_list: row.instruction_id_list, kwargs: kwargs.get(row.prompt) }
    if (!isDict(reference as PyValue) || reference.kwargs === undefined)
      throw new PromptError('unreadable-file', {
        where: path,
        problem: `"${textOf(path, row.prompt).slice(0, 60)}" is not in ${input}`,
        fix: 'use the input file of these results',
      })
    const { score } = evaluator.judge({ prediction: said, reference: reference as PyDict, row: {} })
    return {
      said,
      gold: JSON.stringify(row.instruction_id_list),
      theirs: row.follow_all_instructions === true,
      ours: score === 1,
      isFound: true,
      isCut: false,
    }
  })
}

/** The columns of a file of any benchmark, nested ones with dots, and how its answers are read and scored. */
export type FileForm = { reply: string; gold: string; verdict: string; read?: PostprocessorConfig; evaluator: string }

/** Compares the verdicts in a column of any file of JSON rows. */
export function compareColumns(path: string, { reply, gold, verdict, read: config, evaluator: type }: FileForm): ComparedVerdict[] {
  const read = readerOf(config, path)
  const evaluator = evaluatorOf({ type }, true, path)
  return rowsOf(path).map((row, index) => {
    const said = textOf(path, columnOf(path, row, index, reply))
    const reference = columnOf(path, row, index, gold) as PyValue
    const { value, isFound } = read(said, row as Row)
    const { score } = evaluator.judge({ prediction: value, reference, row: row as Row })
    const theirs = verdictOf(columnOf(path, row, index, verdict))
    if (theirs === undefined) throw unlike(path, `row ${index} has no verdict in "${verdict}": true, false, 1 or 0`)
    return { said, gold: JSON.stringify(reference), theirs, ours: isFound && score === 1, isFound, isCut: false }
  })
}

function columnOf(path: string, row: JsonRow, index: number, column: string): unknown {
  const found = column.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), row)
  if (found !== undefined) return found
  throw unlike(path, `row ${index} has no column "${column}" (it has: ${Object.keys(row).join(', ')})`)
}

function verdictOf(value: unknown): boolean | undefined {
  const text = String(value).toLowerCase()
  return ['true', '1', '1.0'].includes(text) ? true : ['false', '0', '0.0'].includes(text) ? false : undefined
}

type JsonRow = Readonly<Record<string, unknown>>

/** The rows of a JSON list or of JSON lines. */
function rowsOf(path: string): JsonRow[] {
  const text = readFileSync(path, 'utf8')
  try {
    const rows: unknown = text.trimStart().startsWith('[')
      ? JSON.parse(text)
      : text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line): unknown => JSON.parse(line))
    if (Array.isArray(rows) && rows.length > 0 && rows.every(isRecord)) return rows
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw unlike(path, 'it is neither a JSON list of objects nor JSON lines')
}

function isRecord(value: unknown): value is JsonRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(path: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  throw unlike(path, 'a row has no text where the published file has one')
}

function unlike(path: string, problem: string): PromptError {
  return new PromptError('unreadable-file', { where: path, problem, fix: 'give the published file as it was downloaded, unpacked' })
}

/** The counts of a comparison. */
export type VerdictCounts = {
  verdicts: number
  same: number
  onlyOurs: number
  onlyTheirs: number
  notFound: number
  cut: number
  cutAnswered: number
}

export function countVerdicts(compared: readonly ComparedVerdict[]): VerdictCounts {
  const count = (is: (one: ComparedVerdict) => boolean) => compared.filter(is).length
  return {
    verdicts: compared.length,
    same: count(({ ours, theirs }) => ours === theirs),
    onlyOurs: count(({ ours, theirs }) => ours && !theirs),
    onlyTheirs: count(({ ours, theirs }) => theirs && !ours),
    notFound: count(({ isFound }) => !isFound),
    cut: count(({ isCut }) => isCut),
    cutAnswered: count(({ isCut, isFound }) => isCut && isFound),
  }
}
