import { compilePrompt } from '../../ask/compile-prompt.ts'
import { perplexity } from '../../ask/perplexity.ts'
import { labelsOf } from '../../ask/score-labels.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { isServerModel } from '../../config/openai-schema.ts'
import { examplesOf } from '../../dataset/examples-of.ts'
import type { Row } from '../../dataset/row.ts'
import type { Stretches } from '../../dataset/stretches.ts'
import type { Format } from '../../format/format.ts'
import { scorerOf } from '../../model/cannot-score.ts'
import type { LanguageModel } from '../../model/language-model.ts'
import { PromptError } from '../../prompt-error.ts'
import { chooseExamples, choosesByRow, type ExamplesFor, type LossesFor } from '../../retrieve/choose-examples.ts'
import type { OpenModelOptions, OpenRows, Pair, RunEnvironment } from '../../run/run-pairs.ts'
import { jiebaWords } from '../jieba-words.ts'
import { embedderOf } from '../models/embedder-of.ts'
import { identify, sha256 } from '../models/identify-model.ts'
import { loadEmbedded } from '../models/load-embedded.ts'
import { tokenizerOf } from '../models/tokenizer-of.ts'
import { allRows, type NumberedRow, openRows, type RowSource, skippedNotes, takeRows } from '../rows/open-rows.ts'

/** A run in Node: files relative to the config's folder, models by their type. */
export function runEnvironment(folder: string): RunEnvironment {
  const studied = new Map<DatasetConfig, Promise<Studied>>()
  return {
    openModel: (config, format, options) => loaderOf(config)(config, format, { folder, ...options }),
    identify: (config) => identify(config, folder),
    async openRows(dataset) {
      const known = studied.get(dataset) ?? study(dataset, folder)
      studied.set(dataset, known)
      return openDataset(dataset, folder, await known)
    },
    async openInterpreter() {
      const { pythonSandbox } = await import('../interpreters/python/python-sandbox.ts')
      return pythonSandbox({ softLimit: 10_000 })
    },
    tokenizerOf: (config) => tokenizerOf(config, folder),
    now: () => performance.now(),
    hash: sha256,
  }
}

/** The types of models that can be run, by what loads them. */
export const modelTypes: Readonly<Record<string, ModelLoader>> = {
  embedded: (config, format) => loadEmbedded({ format, ...(config.abbr === undefined ? {} : { name: config.abbr }) }),
  gguf: async (config, format, options) => (await import('../models/gguf/load-gguf.ts')).loadGguf(config, format, options),
  openai: async (config, format, options) => (await import('../models/load-openai.ts')).loadOpenAI(config, { format, ...options }),
}

/** Opens a model; files that its config names lie in the folder. */
export type ModelLoader = (config: ModelConfig, format: Format, options: OpenModelOptions & { folder: string }) => Promise<LanguageModel>

/** What runs a model, or an error that says what could. */
export function loaderOf({ abbr, type: named }: ModelConfig, where = abbr ?? 'model') {
  const type = isServerModel({ type: named }) ? 'openai' : named
  const found = type !== undefined && Object.hasOwn(modelTypes, type) ? modelTypes[type] : undefined
  if (found) return found
  throw new PromptError('not-runnable', {
    where: `${where} › type`,
    problem: type === undefined ? 'the model has no type, so nothing can run it' : `nothing here can run a model of type "${type}"`,
    fix: `set type to ${Object.keys(modelTypes)
      .map((name) => `"${name}"`)
      .join(' or ')}, or look at its prompts with \`rolecall render\``,
  })
}

/** Finds judges that nothing can run before any answer is asked for. */
export function checkJudges(pairs: readonly Pair[]): void {
  for (const { judge, name } of pairs) if (judge) loaderOf(judge.config, `${name.dataset} › eval_cfg.evaluator.judge_cfg`)
}

/** What is found out about a dataset once, however many models are asked: how many rows there are, and their examples. */
type Studied = { total: number; byRow?: ExamplesFor }

/** Counts the rows first, so that progress can be shown and a bad row is found at once; an index of examples is built here. */
async function study(dataset: DatasetConfig, folder: string): Promise<Studied> {
  const { test, train } = openRows(dataset, folder)
  const total = test.total ?? (await count(test.stretches()))
  if (!choosesByRow(dataset)) return { total }
  return { total, byRow: await chooseExamples(dataset, await allRows(train), embedderOf(dataset), lossesOf(dataset, folder), jiebaWords()) }
}

/** For MDLRetriever: the perplexities of a row's labels under its own model, which is opened when it is first asked. */
function lossesOf(dataset: DatasetConfig, folder: string): LossesFor | undefined {
  const config = dataset.infer_cfg.retriever?.ce_model as ModelConfig | undefined
  if (!config) return undefined
  const maker = compilePrompt(config, dataset)
  const labels = labelsOf({ maker, where: dataset.abbr ?? 'dataset' })
  let opened: Promise<LanguageModel> | undefined
  return async (row, examples) => {
    opened ??= loaderOf(config)(config, maker.format, { folder })
    const score = scorerOf(await opened, `${dataset.abbr ?? 'dataset'} › infer_cfg.retriever.ce_model`)
    const scored = await score(labels.map((label) => maker.render({ row, examples, mode: 'ppl', label }).prompt))
    return scored.map(({ logProbabilities }) => perplexity(logProbabilities))
  }
}

async function openDataset(dataset: DatasetConfig, folder: string, { total, byRow }: Studied): Promise<OpenRows> {
  const { test, train } = openRows(dataset, folder)
  const skipped = () => ({ count: test.skipped.count, notes: skippedNotes(test) })
  if (byRow) {
    let overlap = 0
    return {
      rows: rowsOf(test),
      total,
      examplesFor(row, number) {
        // Under compat it may be shown, which is told of its row.
        if (dataset.compat === undefined && byRow.isExample(row)) overlap++
        return byRow.examplesFor(row, number)
      },
      overlap: () => overlap,
      notes: byRow.notes,
      skipped,
    }
  }
  const taken = (await takeRows(train, dataset.infer_cfg.retriever?.fix_id_list ?? [])).rows
  const examples = examplesOf(dataset, (id) => taken.get(id)?.row)
  return { rows: rowsOf(test), total, examplesFor: () => examples, skipped }
}

async function count(rows: Stretches<unknown>): Promise<number> {
  let total = 0
  for await (const stretch of rows) for (const _ of stretch) total++
  return total
}

async function* rowsOf({ stretches }: RowSource): AsyncGenerator<Iterable<Row>> {
  function* unnumbered(stretch: Iterable<NumberedRow>): Generator<Row> {
    for (const { row } of stretch) yield row
  }
  for await (const stretch of stretches()) yield unnumbered(stretch)
}
