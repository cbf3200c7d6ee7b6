import type { Row } from '@rolecall/core/internal/conversation'
import { isDialogue, retrieverType } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, dictKeys, isDict, pyStr } from '@rolecall/core/internal/python'
import type { SplitWords } from '../../../python/word-split/word-tokenize.ts'
import { type QuestionColumns, questionKey } from '../same-question.ts'
import type { Embedder } from './embedder.ts'
import { noEmbeddings, noEntropyModel, type OnProgress, type RetrieverOptions } from './retriever.ts'
import { retrieverOf } from './retrievers.ts'

/** The part of a dataset's config that determines its examples. */
export type ExamplesConfig = {
  abbr?: string
  compat?: 'opencompass'
  reader_cfg?: QuestionColumns
  infer_cfg: {
    prompt_template?: unknown
    ice_template?: unknown
    retriever?: RetrieverOptions & {
      type?: string
      fix_id_list?: readonly number[]
      choose?: OwnChoice
      embeddings?: unknown
      ce_model?: unknown
    }
  }
}

/** A user's own choice: the indices of the rows shown as examples to this row. */
export type OwnChoice = (row: Row, rows: readonly Row[], number: number) => readonly number[] | Promise<readonly number[]>

/** The loss of each label of a row after these examples. */
export type LossesFor = (row: Row, examples: readonly Row[]) => Promise<readonly number[]>

export type ExamplesFor = {
  examplesFor(row: Row, number: number): Promise<readonly Row[]>
  /** The index of an example among these rows. */
  numberOf(example: Row): number | undefined
  /** Whether a row is in the example pool. */
  isExample(row: Row): boolean
  /** Where fewer examples than requested were shown so far, with the number of rows. */
  notes(): (Note & { rows: number })[]
  /** Announces upcoming rows, so that many can be prepared in one request. */
  foresee?(rows: Iterable<Row>): void
}

/** Whether examples depend on the test row, so that all candidate rows are needed. */
export function choosesByRow(dataset: ExamplesConfig): boolean {
  const { retriever = {} } = dataset.infer_cfg
  return retriever.choose !== undefined || !['ZeroRetriever', 'FixKRetriever'].includes(retrieverType(retriever))
}

/** Throws if a retriever is unknown, or lacks a setting that it cannot do without. */
export function checkRetriever(dataset: ExamplesConfig): void {
  const { retriever = {} } = dataset.infer_cfg
  if (retriever.choose !== undefined || !choosesByRow(dataset)) return
  const where = `${dataset.abbr === undefined ? '' : `${dataset.abbr} › `}infer_cfg.retriever`
  const { needsEmbeddings, needsModel } = retrieverOf(retrieverType(retriever), where)
  if (needsEmbeddings && retriever.embeddings === undefined) throw noEmbeddings(where)
  if (needsModel && retriever.ce_model === undefined && comparesLabels(dataset)) throw noEntropyModel(where)
}

/** Whether the texts of a row's labels can differ. Those of one dialogue are equal, so that no model tells them apart. */
export function comparesLabels({ infer_cfg }: ExamplesConfig): boolean {
  const template = templateIn(infer_cfg.prompt_template) ?? templateIn(infer_cfg.ice_template)
  return !isDict(template) || !isDialogue(template)
}

function templateIn(config: unknown): unknown {
  return isDict(config) ? (config as { template?: unknown }).template : undefined
}

/**
 * Chooses examples for each row from these. A row is never its own example: another replaces it (except under
 * `compat: 'opencompass'`, which shows what the reference shows).
 */
export async function chooseExamples(
  dataset: ExamplesConfig,
  rows: readonly Row[],
  embed?: Embedder,
  losses?: LossesFor,
  words?: SplitWords,
  onProgress?: OnProgress,
): Promise<ExamplesFor> {
  const { retriever = {} } = dataset.infer_cfg
  const where = `${dataset.abbr === undefined ? '' : `${dataset.abbr} › `}infer_cfg.retriever`
  const chooser = retriever.choose ? undefined : retrieverOf(retrieverType(retriever), where)
  if (chooser?.needsModel && embed && !losses && comparesLabels(dataset)) throw noEntropyModel(where)
  const text = textOf(dataset)
  const keyOf = questionKey(dataset.reader_cfg)
  const same = new Map<string, number[]>()
  for (const [id, row] of rows.entries()) {
    const key = keyOf(row)
    const ids = same.get(key)
    if (ids) ids.push(id)
    else same.set(key, [id])
  }
  const opened = chooser
    ? await chooser.open(
        {
          texts: rows.map(text),
          rows,
          where,
          embed,
          words,
          onProgress,
          ...(losses
            ? {
                losses: (row: Row, ids: readonly number[]) =>
                  losses(
                    row,
                    ids.map((id) => rows[id]!),
                  ),
              }
            : {}),
        },
        retriever,
      )
    : undefined
  const short = new Set<number>()
  const numbers = new Map(rows.map((row, id) => [row, id]))
  const { foresee } = opened ?? {}
  return {
    ...(foresee ? { foresee: (some: Iterable<Row>) => foresee(Array.from(some, text)) } : {}),
    numberOf: (example) => numbers.get(example),
    isExample: (row) => same.has(keyOf(row)),
    notes: () => shortageOf({ where, asked: opened?.count ?? 0, total: rows.length, rows: short.size }),
    async examplesFor(row, number) {
      const own = same.get(keyOf(row)) ?? []
      const spare = dataset.compat === 'opencompass' ? 0 : own.length
      const chosen = opened
        ? await opened.choose({ text: text(row), number, spare, row, own: spare === 0 ? [] : own })
        : await retriever.choose!(row, rows, number)
      const others = spare === 0 ? chosen : chosen.filter((id) => !own.includes(id))
      const count = opened?.count ?? others.length
      if (others.length < count) short.add(number)
      return others.slice(0, count).map((id) => rowOf(rows, id, where))
    },
  }
}

function rowOf(rows: readonly Row[], id: number, where: string): Row {
  const row = rows[id]
  if (row) return row
  throw new PromptError('no-row', {
    where,
    problem: `the rows for examples have no row ${id}`,
    fix: rows.length === 0 ? 'there are none: check train_path and train_range' : `choose numbers from 0 to ${rows.length - 1}`,
  })
}

type Shortage = { where: string; asked: number; total: number; rows: number }

function shortageOf({ where, asked, total, rows }: Shortage): (Note & { rows: number })[] {
  if (rows === 0) return []
  const text =
    asked > total
      ? `${asked} examples are requested, and there ${total === 1 ? 'is one row' : `are ${total} rows`} to choose from`
      : `fewer examples are shown than requested (${asked}): a row is not its own example, and no other is left`
  return [{ code: 'fewer-examples', where, text, rows }]
}

/** The compared text: the input columns, joined by spaces; without declared columns, all except the answer. */
function textOf({ reader_cfg: reader = {} }: ExamplesConfig): (row: Row) => string {
  const named = reader.input_columns === undefined ? undefined : [reader.input_columns].flat()
  return (row) =>
    (named ?? dictKeys(row).filter((column) => column !== reader.output_column)).map((column) => pyStr(dictGet(row, column))).join(' ')
}
