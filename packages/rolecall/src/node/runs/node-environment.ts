import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { compilePrompt } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import { examplesOf, retrieverType } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { Chunks } from '../../evaluation/dataset/chunks.ts'
import {
  chooseExamples,
  choosesByRow,
  comparesLabels,
  type ExamplesFor,
  type LossesFor,
} from '../../evaluation/dataset/retrieve/choose-examples.ts'
import { questionsAtOnce } from '../../evaluation/dataset/retrieve/question-embedder.ts'
import { type OnProgress, tooMany } from '../../evaluation/dataset/retrieve/retriever.ts'
import { retrievers } from '../../evaluation/dataset/retrieve/retrievers.ts'
import { perplexity } from '../../evaluation/run/ask/perplexity.ts'
import { labelsOf } from '../../evaluation/run/ask/score-labels.ts'
import { hasFunction } from '../../evaluation/run/examine/has-function.ts'
import type { OpenRows, Pair, RunEnvironment } from '../../evaluation/run/run-pairs.ts'
import { scorerOf } from '../../model/language-model/cannot-score.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { modelTypeOf, runnableType } from '../../model/model-types/index.ts'
import { fileIdentity } from '../../model/model-types/model-type.ts'
import { findRuntime } from '../interpreters/python/find-runtime.ts'
import { jiebaWords } from '../jieba-words.ts'
import { contextOf } from '../models/context-of.ts'
import { embedderOf, sourceEmbedder } from '../models/embedder-of.ts'
import { tokenizerOf } from '../models/load-tokenizer.ts'
import { modelHost } from '../models/model-host.ts'
import { nodeSha256 } from '../models/node-sha256.ts'
import { allRows, firstRows, type NumberedRow, openRows, type RowSource, skippedNotes, takeRows } from '../rows/open-rows.ts'
import { RowMemory } from '../rows/row-memory.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'

registerScoringPlugIns()

/** The run environment in Node: files relative to the config's folder, models by type. */
export function nodeEnvironment(folder: string): RunEnvironment {
  const host = modelHost(folder)
  const studied = new Map<DatasetConfig, Promise<Studied>>()
  /** The number of rows of datasets that have been read to their end. */
  const totals = new Map<DatasetConfig, number>()
  const kept = new RowMemory()
  return {
    openModel: (config, format, options) => runnableType(config).open(config, { host, format, ...options }),
    identify: (config) => (modelTypeOf(config)?.identity ?? fileIdentity)(config, host),
    serverOf: (config) => modelTypeOf(config)?.server?.(config, host),
    async openRows(dataset, { onProgress } = {}) {
      const known = studied.get(dataset) ?? study(dataset, folder, totals.get(dataset), onProgress)
      studied.set(dataset, known)
      return openDataset(dataset, folder, await known, kept.of(dataset))
    },
    firstRows: async (dataset) => ({ ...(await firstRows(dataset, folder)), shown: await shownRows(dataset, folder) }),
    testRows(dataset) {
      const known = kept.of(dataset)
      if (known) return known
      const { test } = openRows(dataset, folder)
      const rows = rowsOf(test, (total) => totals.set(dataset, total))
      return test.total === undefined && mayKeepRows(dataset) ? kept.keep(dataset, rows) : rows
    },
    async openInterpreter(files = []) {
      const { pythonSandbox } = await import('../interpreters/python/python-sandbox.ts')
      const sandbox = pythonSandbox({ softLimit: 10_000 })
      for (const file of files) await sandbox.addFile(basename(file), readFileSync(resolve(folder, file)))
      return sandbox
    },
    embedder: (source) => sourceEmbedder(source, 'eval_cfg.evaluator.embeddings'),
    tokenizerOf: (config) => tokenizerOf(config, folder),
    contextOf: (config) => contextOf(config, folder),
    now: () => performance.now(),
    hash: nodeSha256,
  }
}

/**
 * Whether the rows of a file may stay in memory. Skipped rows are counted while they are read, and a user's own function may change a row.
 * Texts of a CSV file are parts of the block that was read, so that a part of its rows or columns would keep all of it in memory.
 */
function mayKeepRows(dataset: DatasetConfig): boolean {
  const isPart = [dataset.reader_cfg?.test_range, dataset.map_columns, dataset.media_columns].some((one) => one !== undefined)
  return !isPart && dataset.on_bad_row !== 'skip' && !hasFunction(dataset)
}

/** Throws if the model of a pair, or what judges its answers, cannot be opened here. */
export function checkRunnable(pair: Pair): void {
  runnableType(pair.model)
  checkReferee(pair)
}

/** Throws if the type of a judge cannot run, or if the programs that test answers need packages that are not installed. */
export function checkReferee({ judge, evaluator, name }: Pair): void {
  if (judge) runnableType(judge.config, `${name.dataset} › eval_cfg.evaluator.judge_cfg`)
  else if (evaluator.runs || evaluator.summaryRuns) findRuntime()
}

/** Opens a retriever that needs no embeddings on a few rows: what it misses in a row, it misses in all. */
async function tryRetriever(dataset: DatasetConfig, rows: readonly Row[]): Promise<void> {
  const { retriever = {} } = dataset.infer_cfg
  const [first] = rows
  if (first === undefined || retriever.choose !== undefined || retrievers[retrieverType(retriever)]?.needsEmbeddings) return
  try {
    const { examplesFor } = await chooseExamples(dataset, rows, undefined, undefined, jiebaWords())
    await examplesFor(first, 0)
  } catch (error) {
    // There are more rows than these few.
    if (!(error instanceof PromptError) || error.code !== 'too-few-rows') throw error
  }
}

/** The examples of the first row; where they depend on the row, the first of the pool stand for them. */
async function shownRows(dataset: DatasetConfig, folder: string): Promise<readonly Row[]> {
  const { retriever = {} } = dataset.infer_cfg
  const places = choosesByRow(dataset) ? Array.from({ length: retriever.ice_num ?? 1 }, (_, index) => index) : (retriever.fix_id_list ?? [])
  const { rows } = await takeRows(openRows(dataset, folder).train, places)
  const isShort = choosesByRow(dataset) && rows.size > 0 && rows.size < places.length
  if (isShort && retriever.choose === undefined && retrievers[retrieverType(retriever)]?.needsCount)
    throw tooMany(`${dataset.abbr ?? 'dataset'} › infer_cfg.retriever`, places.length, rows.size)
  if (choosesByRow(dataset))
    await tryRetriever(
      dataset,
      [...rows.values()].map(({ row }) => row),
    )
  return choosesByRow(dataset) ? [...rows.values()].map(({ row }) => row) : examplesOf(dataset, (id) => rows.get(id)?.row)
}

/** Facts computed once per dataset, for all models: the number of rows and the example selection. */
type Studied = { total: number; byRow?: ExamplesFor }

/** Counts the rows if they have not been read before, which also finds bad rows early, and builds the example index. */
async function study(
  dataset: DatasetConfig,
  folder: string,
  known: number | undefined,
  onProgress: OnProgress | undefined,
): Promise<Studied> {
  const { test, train } = openRows(dataset, folder)
  const total = test.total ?? known ?? (await count(test.chunks()))
  if (!choosesByRow(dataset)) return { total }
  const rows = await allRows(train)
  return { total, byRow: await chooseExamples(dataset, rows, embedderOf(dataset), lossesOf(dataset, folder), jiebaWords(), onProgress) }
}

/** For MDLRetriever: the perplexities of a row's labels under `ce_model`, which is opened on first use. */
function lossesOf(dataset: DatasetConfig, folder: string): LossesFor | undefined {
  const config = dataset.infer_cfg.retriever?.ce_model as ModelConfig | undefined
  if (!config || !comparesLabels(dataset)) return undefined
  const maker = compilePrompt(config, dataset)
  const labels = labelsOf({ maker, where: dataset.abbr ?? 'dataset' })
  let opened: Promise<LanguageModel> | undefined
  return async (row, examples) => {
    opened ??= runnableType(config).open(config, { host: modelHost(folder), format: maker.format })
    const score = scorerOf(await opened, `${dataset.abbr ?? 'dataset'} › infer_cfg.retriever.ce_model`)
    const scored = await score(labels.map((label) => maker.render({ row, examples, mode: 'ppl', label }).prompt))
    return scored.map(({ logProbabilities }) => perplexity(logProbabilities))
  }
}

async function openDataset(
  dataset: DatasetConfig,
  folder: string,
  { total, byRow }: Studied,
  kept: Chunks<Row> | undefined,
): Promise<OpenRows> {
  const { test, train } = openRows(dataset, folder)
  const rows = kept ?? rowsOf(test)
  const skipped = () => ({ count: test.skipped.count, notes: skippedNotes(test) })
  if (byRow) {
    let overlap = 0
    return {
      rows: byRow.foresee ? foreseen(rows, byRow.foresee) : rows,
      total,
      examplesFor(row, number) {
        // With `compat`, the row may be its own example, which its record notes.
        if (dataset.compat === undefined && byRow.isExample(row)) overlap++
        return byRow.examplesFor(row, number)
      },
      exampleNumber: byRow.numberOf,
      overlap: () => overlap,
      notes: byRow.notes,
      skipped,
    }
  }
  const taken = (await takeRows(train, dataset.infer_cfg.retriever?.fix_id_list ?? [])).rows
  const examples = examplesOf(dataset, (id) => taken.get(id)?.row)
  const numbers = new Map([...taken.values()].map(({ row, number }) => [row, number]))
  return { rows, total, examplesFor: () => examples, exampleNumber: (row) => numbers.get(row), skipped }
}

/** Yields rows in batches, announcing each batch to the example retriever first. */
async function* foreseen(rows: Chunks<Row>, foresee: (rows: Iterable<Row>) => void): AsyncGenerator<Iterable<Row>> {
  let some: Row[] = []
  for await (const chunk of rows) {
    for (const row of chunk) {
      some.push(row)
      if (some.length < questionsAtOnce) continue
      foresee(some)
      yield some
      some = []
    }
  }
  foresee(some)
  if (some.length > 0) yield some
}

async function count(rows: Chunks<unknown>): Promise<number> {
  let total = 0
  for await (const chunk of rows) for (const _ of chunk) total++
  return total
}

/** `onEnd` receives the number of rows if all of them are read. */
async function* rowsOf({ chunks }: RowSource, onEnd?: (total: number) => void): AsyncGenerator<Iterable<Row>> {
  let total = 0
  function* unnumbered(chunk: Iterable<NumberedRow>): Generator<Row> {
    for (const { row } of chunk) {
      total++
      yield row
    }
  }
  for await (const chunk of chunks()) yield unnumbered(chunk)
  onEnd?.(total)
}
