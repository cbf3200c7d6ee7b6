import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, extname, join, parse, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import { stringifyJson } from '@rolecall/core/internal/python'
import { metricsOfSamples } from '../../compat/lm-eval/dataset/python-scoring.ts'
import { readTaskSpec, type TaskSpec, taskOf, taskRows } from '../../compat/lm-eval/dataset/task-spec.ts'
import type { TaskSample } from '../../compat/lm-eval/evaluate-task.ts'
import { type AnsweredDoc, logSamples } from '../../compat/lm-eval/results/log-samples.ts'
import {
  type ReportedGroup,
  type ReportedRun,
  type ReportedTask,
  resultsDocument,
  sanitizedName,
} from '../../compat/lm-eval/results/results-document.ts'
import { planRequests } from '../../evaluation/run/ask/plan-requests.ts'
import { allRequests, startRow } from '../../evaluation/run/ask/start-row.ts'
import { saidOf } from '../../evaluation/run/compute-summary.ts'
import type { Pair } from '../../evaluation/run/plan-run.ts'
import { distinctModels, isSameModel, modelText } from '../../evaluation/run/record/pair-name.ts'
import { isFailure } from '../../evaluation/run/record/row-record.ts'
import { likelyChoice } from '../../evaluation/run/score-answer.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { tokenizerOf } from '../models/load-tokenizer.ts'
import { nodeSha256 } from '../models/node-sha256.ts'
import { ownVersion } from '../own-files.ts'
import type { EvaluationOptions, EvaluationRun } from '../runs/evaluation-options.ts'
import { plannedPairs } from '../runs/planned-pairs.ts'
import type { Records } from '../runs/records/records.ts'
import { openRun } from '../runs/run-reader.ts'

/** Where the results go, and what only the command line knows about the run. */
type HarnessOutput = {
  /** A folder, or a .json file whose name gets the time. */
  path: string
  logSamples: boolean
  modelArguments?: ReadonlyMap<string, Value> | undefined
  batchSize?: string | undefined
  generation?: ReadonlyMap<string, Value> | undefined
  metadata?: ReadonlyMap<string, Value> | undefined
}

/** The files that were written, and what they lack. */
type WrittenResults = { files: string[]; notes: string[] }

/** Refuses an output path that cannot be written, before the first request. Nothing is written yet. */
export function checkHarnessOutput(
  loaded: Pick<LoadedConfig, 'config'>,
  options: EvaluationOptions,
  path: string,
  given: HarnessOutput['modelArguments'],
): void {
  const pairs = plannedPairs(loaded, options)
  const models = distinctModels(pairs.map(({ name }) => name))
  for (const model of models) {
    const own = pairs.find(({ name, dataset }) => isSameModel(name, model) && dataset.lm_eval !== undefined)
    if (own === undefined) continue
    const { folder } = placeOf(path, modelText({ ...model, model: nameOfModel(own, given) }), '', models.length > 1)
    const problem = unwritable(resolve(folder))
    if (problem !== undefined)
      throw new PromptError('not-writable', {
        where: '--output-path',
        problem,
        fix: 'name a folder in which this user may write, or a .json file in one',
      })
  }
}

/** Why a folder can neither be written nor made: judged by the nearest one that exists. */
function unwritable(folder: string): string | undefined {
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  if (!statSync(nearest).isDirectory()) return `${nearest} is a file, and the results need a folder`
  try {
    accessSync(nearest, constants.W_OK)
    return undefined
  } catch (error) {
    return `${nearest} cannot be written (${(error as NodeJS.ErrnoException).code})`
  }
}

/** Writes the tasks of a run as lm-evaluation-harness does: `results_TIME.json`, and `samples_TASK_TIME.jsonl` on request, for each model. */
export async function writeHarnessResults(
  { folder, summary }: Pick<EvaluationRun, 'folder' | 'summary'>,
  output: HarnessOutput,
  now = new Date(),
): Promise<WrittenResults> {
  const recorded = openRun(folder)
  const loaded = await recorded.config()
  const pairs = await recorded.planned()
  const written: WrittenResults = { files: [], notes: [] }
  const time = timeText(now)
  const models = distinctModels(pairs.map(({ name }) => name))
  for (const model of models) {
    const own = pairs.filter(({ name, dataset }) => isSameModel(name, model) && dataset.lm_eval !== undefined)
    const [first] = own
    if (first === undefined) continue
    const run = runOf(first, output, recorded.info.options.limit, summary)
    // Several formats of one model get a folder each.
    const place = placeOf(output.path, modelText({ ...model, model: run.model }), time, models.length > 1)
    mkdirSync(place.folder, { recursive: true })
    const tasks: ReportedTask[] = []
    for (const pair of own) {
      const rows = recorded.find(pair.name)
      if (rows === undefined) continue
      const spec = readTaskSpec(pair.dataset.lm_eval, pair.name.dataset)
      const records = rows.records()
      const plan = planRequests(pair, { tokenizer: tokenizerOf(pair.model, loaded.folder) })
      const file = output.logSamples ? join(place.folder, `samples_${sanitizedName(pair.name.dataset)}_${time}.jsonl`) : undefined
      const answered = () =>
        answeredDocs(spec, records, (row) =>
          allRequests(plan, startRow(plan, { row, examples: [] })).flatMap(({ prompts }) => prompts.map(({ prompt }) => prompt)),
        )
      const { samples, hash } = writeSamples(spec, answered, file)
      records.close()
      if (file !== undefined) written.files.push(file)
      const lacking = records.count - new Set(samples.map(({ doc }) => doc)).size
      if (lacking > 0) written.notes.push(`${pair.name.dataset}: ${lacking} rows without an answer are not in its results`)
      const computed = saidOf([samples], pair.evaluator, rows.result()?.computed, nodeSha256)
      tasks.push({ name: pair.name.dataset, spec, figures: metricsOfSamples(spec, taskOf(spec), samples, computed), hash })
    }
    const groups = (loaded.config.summarizer?.summary_groups ?? []).map(({ name, subsets }): ReportedGroup => {
      const figures = summary.groups?.find((one) => one.group === name && isSameModel(one, model))?.figures
      return { name, tasks: subsets.map(String), figures: figures && { ...figures } }
    })
    const document = resultsDocument(tasks, groups, run, nodeSha256)
    writeFileSync(place.results, stringifyJson(document, { indent: 2, ensureAscii: false }))
    written.files.unshift(place.results)
  }
  return written
}

function* answeredDocs(
  spec: TaskSpec,
  records: Records,
  promptsOf: (row: AnsweredDoc['row']) => ReturnType<AnsweredDoc['prompts']>,
): Generator<AnsweredDoc> {
  const rows = taskRows(spec.rows)
  for (const record of records.rows()) {
    const { id, prediction, scores, details } = record
    const row = rows[id]
    if (row === undefined || isFailure(record)) continue
    const outcomes = details?.judge_said
    yield {
      ...{ id, row, prompts: () => promptsOf(row), prediction, choices: scores?.map(likelyChoice) },
      ...(outcomes === undefined ? {} : { outcomes }),
    }
  }
}

/** Computes the samples of a task, and writes them if there is a file; the hash is that of the written lines. */
function writeSamples(
  spec: TaskSpec,
  answered: () => Iterable<AnsweredDoc>,
  file: string | undefined,
): { samples: TaskSample[]; hash?: string } {
  const samples: TaskSample[] = []
  if (file === undefined) {
    for (const { sample } of logSamples(spec, answered, nodeSha256)) samples.push(sample)
    return { samples }
  }
  const hashes: string[] = []
  const descriptor = openSync(file, 'w')
  try {
    for (const { sample, line } of logSamples(spec, answered, nodeSha256)) {
      const { text, hashes: own } = line()
      writeSync(descriptor, `${text}\n`)
      hashes.push(own)
      samples.push(sample)
    }
  } finally {
    closeSync(descriptor)
  }
  return { samples, hash: nodeSha256(hashes.join('')) }
}

function runOf({ model, dataset }: Pair, output: HarnessOutput, limit: number | undefined, summary: EvaluationRun['summary']): ReportedRun {
  const { apply_chat_template: isChat } = readTaskSpec(dataset.lm_eval, '')
  const isServed = model.base_url !== undefined
  const sendsMessages = isChat && model.format === 'messages'
  const given =
    output.modelArguments ??
    new Map<string, Value>([['model', model.path ?? model.abbr ?? ''], ...(isServed ? [['base_url', model.base_url!] as const] : [])])
  return {
    source: isServed ? (sendsMessages ? 'local-chat-completions' : 'local-completions') : (model.type ?? 'rolecall'),
    model: nameOfModel({ model }, given),
    modelArguments: given,
    metadata: new Map([...given, ...(output.metadata ?? [])]),
    batchSize: output.batchSize === undefined ? 1 : /^\d+$/.test(output.batchSize) ? Number(output.batchSize) : output.batchSize,
    limit,
    generation: output.generation ?? new Map(),
    chatTemplate: sendsMessages ? '' : (model.chat_template ?? null),
    date: Date.parse(summary.started) / 1000,
    seconds: summary.seconds,
    version: `rolecall ${ownVersion()}`,
    environment: `N/A (Rolecall on Node ${process.version})`,
  }
}

function nameOfModel({ model }: Pick<Pair, 'model'>, given: HarnessOutput['modelArguments']): string {
  return String(given?.get('model') ?? model.path ?? model.abbr)
}

/** `FOLDER/MODEL/results_TIME.json`; for `NAME.json`, `NAME_TIME.json`, in a folder for each model if there are several. */
function placeOf(path: string, model: string, time: string, hasOthers: boolean): { folder: string; results: string } {
  const isFile = extname(path) === '.json'
  // A model named `..` has its folder in the given one, not above it.
  const own = sanitizedName(model).replace(/^\.{0,2}$/, '__')
  const folder = isFile && !hasOthers ? dirname(path) : join(isFile ? dirname(path) : path, own)
  return { folder, results: join(folder, `${isFile ? parse(path).name : 'results'}_${time}.json`) }
}

/** The local time as Python's `datetime.now().isoformat()` writes it, with `-` for `:`. */
function timeText(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
  return `${local.replaceAll(':', '-')}000`
}
