import { fileURLToPath } from 'node:url'
import { examplesOf, type Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictGet, isDict, isList, type PyDict, PyFloat, type PyValue, pyRepr, pyStr } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { chooseExamples, choosesByRow } from '../../evaluation/dataset/retrieve/choose-examples.ts'
import { planRequests } from '../../evaluation/run/ask/plan-requests.ts'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import { rowPrompts } from '../../evaluation/run/ask/row-prompts.ts'
import { planRun } from '../../evaluation/run/plan-run.ts'
import { goldOf } from '../../evaluation/run/score-answer.ts'
import { evaluateAnswers } from '../../evaluation/score/evaluate/evaluate-answers.ts'
import { postprocessorFrom } from '../../evaluation/score/scorer-from-config.ts'
import type { PythonHost } from '../../python/host/python-host.ts'
import { jiebaWords, scoringPeers } from '../jieba-words.ts'
import { embedderOf } from '../models/embedder-of.ts'
import { packageFile } from '../own-files.ts'
import { allRows, openRows } from '../rows/open-rows.ts'

/** A part of a dataset: the same in both, the first difference, or why it was not compared. */
export type Compared =
  | { kind: 'equal'; count: number; shows?: string }
  | { kind: 'different'; at: string }
  | { kind: 'not-compared'; why: string }

/** What OpenCompass and Rolecall make of a dataset of a config. */
export type ComparedDataset = { dataset: string; rows: Compared; prompts: Compared; scores: Compared }

export type CompareLimits = {
  /** The most rows that are compared. */
  rows: number
  /** The most rows whose prompts are compared, and for which predictions are scored. */
  prompts: number
}

/** A model without a meta template: prompts are the text of their turns. */
const plainModel: ModelConfig = { abbr: 'plain', format: 'plain' }

/** Compares each dataset of a config with what OpenCompass makes of it in the user's own Python. */
export async function* compareWithOpenCompass(
  host: PythonHost,
  { file, folder, datasets }: { file: string; folder: string; datasets: readonly DatasetConfig[] },
  limits: CompareLimits,
): AsyncGenerator<ComparedDataset> {
  const theirs = (name: string, ...args: PyValue[]) => asked(host, name, [file, ...args])
  const named = (await theirs('datasets')) as readonly PyDict[]
  for (const dataset of datasets) {
    const abbr = dataset.abbr ?? 'dataset'
    const number = named.findIndex((each) => dictGet(each, 'abbr') === abbr)
    if (number < 0) {
      const why = `OpenCompass has no dataset of this name in the config (${named.map((each) => pyStr(dictGet(each, 'abbr') ?? '')).join(', ')})`
      yield {
        dataset: abbr,
        rows: { kind: 'not-compared', why },
        prompts: { kind: 'not-compared', why },
        scores: { kind: 'not-compared', why },
      }
    } else
      yield await compareDataset({ ...dataset, compat: 'opencompass' }, folder, limits, (name, ...args) => theirs(name, number, ...args))
  }
}

type Theirs = (name: string, ...args: PyValue[]) => Promise<PyValue>

async function asked(host: PythonHost, name: string, args: readonly PyValue[]): Promise<PyValue> {
  const script = fileURLToPath(packageFile('python/opencompass_config.py'))
  const object = await host.load({ kind: 'function', name: `${script}:${name}` })
  return await object.call({ args })
}

async function compareDataset(dataset: DatasetConfig, folder: string, limits: CompareLimits, theirs: Theirs): Promise<ComparedDataset> {
  const name = dataset.abbr ?? 'dataset'
  const notCompared = (why: string): Compared => ({ kind: 'not-compared', why })
  const given = await attempt(async () => ({
    test: await allRows(openRows(dataset, folder).test),
    expected: (await theirs('rows', limits.rows)) as PyDict,
  }))
  if (given instanceof PromptError) {
    const why = notCompared(given.message)
    return { dataset: name, rows: why, prompts: notCompared('the rows are not there'), scores: notCompared('the rows are not there') }
  }
  const { test, expected } = given
  const rows = compareRows(test, expected)
  const parts = async (part: () => Promise<Compared>): Promise<Compared> => {
    const result = await attempt(part)
    return result instanceof PromptError ? notCompared(result.message) : result
  }
  return {
    dataset: name,
    rows,
    prompts: await parts(() => comparePrompts(dataset, folder, test.slice(0, limits.prompts), theirs)),
    scores: await parts(() => compareScores(dataset, test.slice(0, limits.prompts), theirs)),
  }
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | PromptError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
}

/** Columns that OpenCompass's dataset object adds to every row. */
const added: readonly string[] = ['subdivision', 'idx']

function compareRows(ours: readonly Row[], theirs: PyDict): Compared {
  const [count, rows] = [Number(dictGet(theirs, 'count')), dictGet(theirs, 'rows') as readonly PyDict[]]
  for (const [number, row] of rows.entries()) {
    const own = ours[number]
    if (own === undefined) break
    const columns = new Set(
      [...dictEntries(row), ...dictEntries(own)].map(([column]) => column).filter((column) => !added.includes(column)),
    )
    for (const column of columns) {
      const [one, other] = [own, row].map((each) => pyRepr(dictGet(each, column) ?? null))
      if (one !== other) return { kind: 'different', at: `row ${number} › ${column}: ${cut(one!)} here, ${cut(other!)} there` }
    }
  }
  if (ours.length !== count) return { kind: 'different', at: `${ours.length} rows here, ${count} there` }
  return { kind: 'equal', count: rows.length }
}

async function comparePrompts(dataset: DatasetConfig, folder: string, rows: readonly Row[], theirs: Theirs): Promise<Compared> {
  const expected = await theirs('prompts', rows.length)
  if (!isList(expected)) return { kind: 'not-compared', why: 'prompts of this inferencer depend on replies' }
  const pair = planRun([plainModel], [dataset], scoringPeers(), {}, false)[0]!
  const columns = new Set(rows.flatMap((row) => dictEntries(row).map(([column]) => column)))
  const plan = planRequests(pair, { columns, isPreview: true })
  const train = await allRows(openRows(dataset, folder).train)
  const chosen = choosesByRow(dataset) ? await chooseExamples(dataset, train, embedderOf(dataset), undefined, jiebaWords()) : undefined
  const fixed = chosen === undefined ? examplesOf(dataset, (id) => train[id]) : []
  let count = 0
  for (const [number, row] of rows.entries()) {
    const examples = chosen ? await chosen.examplesFor(row, number) : fixed
    const texts = rowPrompts(plan, { row, examples }).filter(({ isNormalizer }) => !isNormalizer)
    const wanted = expected[number] as readonly (readonly [string, string])[]
    for (const [place, [label, text]] of wanted.entries()) {
      const own = texts[place]
      const ours = own && sentText(own.rendered.prompt)
      const where = `row ${number}${label === '' ? '' : ` › label ${label}`}`
      if (ours === undefined) return { kind: 'different', at: `${where}: no prompt here, ${cut(pyRepr(text))} there` }
      if (ours !== text) return { kind: 'different', at: `${where}: ${firstDifference(ours, text)}` }
      count++
    }
  }
  return { kind: 'equal', count }
}

/** Around the first character that differs. */
function firstDifference(ours: string, theirs: string): string {
  let at = 0
  while (at < ours.length && ours[at] === theirs[at]) at++
  const around = (text: string) => pyRepr(text.slice(Math.max(0, at - 20), at + 40))
  return `${around(ours)} here, ${around(theirs)} there (from character ${at})`
}

async function compareScores(dataset: DatasetConfig, rows: readonly Row[], theirs: Theirs): Promise<Compared> {
  const pair = planRun([plainModel], [dataset], scoringPeers())[0]!
  const { evaluator } = pair
  if (evaluator.asks || pair.judge) return { kind: 'not-compared', why: 'a model judges the answers' }
  if (evaluator.runs || evaluator.summaryRuns || evaluator.judgeLater) return { kind: 'not-compared', why: 'programs judge the answers' }
  const gold = rows.map((row) => goldOf(pair, row) ?? null)
  const predictions = gold.map((_, number) => predictionFor(gold, number))
  const expected = (await theirs('scores', predictions)) as PyDict
  const read = postprocessorFrom(dataset.eval_cfg?.pred_postprocessor, { peers: scoringPeers() })
  const references = gold.map((value) => (typeof value === 'string' ? pair.read.reference(value) : value))
  const { figures } = evaluateAnswers(evaluator, predictions.map(read), references, rows)
  const shared = dictEntries(expected).filter(([metric]) => Object.hasOwn(figures, metric))
  if (shared.length === 0) {
    const names = (metrics: readonly string[]) => metrics.join(', ') || 'none'
    return {
      kind: 'not-compared',
      why: `no metric has the same name (here ${names(Object.keys(figures))}; there ${names(dictEntries(expected).map(([metric]) => metric))})`,
    }
  }
  for (const [metric, value] of shared) {
    const [one, other] = [figures[metric]!, numberOf(value)]
    if (!(Object.is(one, other) || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))))
      return { kind: 'different', at: `${metric}: ${one} here, ${other} there, for ${predictions.length} predictions` }
  }
  return {
    kind: 'equal',
    count: predictions.length,
    shows: shared.map(([metric, value]) => `${metric} ${Math.round(numberOf(value) * 100) / 100}`).join(', '),
  }
}

function numberOf(value: PyValue): number {
  return value instanceof PyFloat ? value.value : Number(value)
}

/** Predictions of several kinds, the same for both: right, in a sentence, that of the next row, and empty. */
function predictionFor(gold: readonly PyValue[], number: number): string {
  const text = (value: PyValue | undefined): string => {
    if (value === undefined || value === null) return ''
    if (isList(value)) return text(value[0])
    return isDict(value) ? '' : pyStr(value)
  }
  switch (number % 4) {
    case 0:
      return text(gold[number])
    case 1:
      return `The answer is ${text(gold[number])}.`
    case 2:
      return text(gold[(number + 1) % gold.length])
    default:
      return ''
  }
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
