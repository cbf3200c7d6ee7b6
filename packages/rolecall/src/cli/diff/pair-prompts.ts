import { compileChat } from '@rolecall/core/internal/compile'
import type { Chat, Conversation } from '@rolecall/core/internal/conversation'
import { readChat } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { partsOptions } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { asWritten } from '../../evaluation/run/ask/as-written.ts'
import { titleOf } from '../../evaluation/run/ask/row-prompts.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { tokenizerAt, tokenizerOf } from '../../node/models/load-tokenizer.ts'
import { openRows } from '../../node/rows/open-rows.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import type { PromptPair, Side } from '../../workbench/diff/diff-prompts.ts'
import { type ExampleChat, exampleChats, partsExamples } from '../../workbench/diff/example-chats.ts'
import { writeTemplate } from '../../workbench/diff/write-template.ts'
import { type ChosenRows, rowsOf } from '../render/dataset-rows.ts'
import { type View, viewRows } from '../render/view.ts'
import type { DiffSide } from './read-side.ts'

export type PairOptions = {
  /** The config with the datasets to render for both sides. */
  rows?: LoadedConfig | undefined
  /** Chats to render instead of the built-in ones. */
  chats?: readonly ExampleChat[] | undefined
  /** Rows per dataset. */
  limit: number
  /** The tokenizer of both sides, instead of their own. */
  tokenizer?: string | undefined
}

/** The prompts of both sides, row by row or chat by chat. */
export type Paired = { pairs: PromptPair[]; unit: 'row' | 'conversation'; notes: Note[] }

/** Renders the same rows or chats for both sides. */
export async function pairPrompts(first: DiffSide, second: DiffSide, options: PairOptions): Promise<Paired> {
  if (first.kind === 'config' && second.kind === 'config') return pairConfigs(first, second, options)
  if (first.kind === 'config' || second.kind === 'config') {
    const [whole, single] = first.kind === 'config' ? [first, second] : [second, first]
    throw new PromptError('different-sides', {
      where: `${first.name}, ${second.name}`,
      problem: `${whole.name} is a config with rows, but ${single.name} is a format`,
      fix: `compare one of its models: rolecall diff MODEL ${single.name} --config ${whole.name}`,
    })
  }
  const { rows } = options
  if (rows === undefined) return pairChats(first, second, options)
  const sides = [first, second].map(({ model, name }) => ({ ...rows, config: { ...rows.config, models: [{ ...model, abbr: name }] } }))
  return pairConfigs({ loaded: sides[0] as LoadedConfig }, { loaded: sides[1] as LoadedConfig }, options)
}

type ModelSide = DiffSide & { kind: 'model' }

function pairChats(first: ModelSide, second: ModelSide, { chats, tokenizer }: PairOptions): Paired {
  const [one, other] = [first, second].map((side) => chatWriter(side, tokenizer)) as [
    ReturnType<typeof chatWriter>,
    ReturnType<typeof chatWriter>,
  ]
  const isOfParts = first.model.parts !== undefined || second.model.parts !== undefined
  const shown = chats ?? (isOfParts ? partsExamples : exampleChats)
  return { pairs: shown.map(({ name, chat }) => ({ name, first: one(chat), second: other(chat) })), unit: 'conversation', notes: [] }
}

function chatWriter({ model, folder }: ModelSide, path: string | undefined): (chat: Chat) => Side {
  const tokenizer = path === undefined ? tokenizerOf(model, folder) : tokenizerAt(path)
  const maker = compileChat(model)
  const { markers } = maker.format
  if (model.chat_template !== undefined) {
    const write = writeTemplate({
      source: model.chat_template,
      tokens: model.special_tokens ?? {},
      compile: isolatedTemplate,
      parts: partsOptions(model.parts, 'parts'),
    })
    return (chat) => {
      const side = write(chat)
      return 'refusal' in side ? side : sideOf(side.prompt, side.conversation, tokenizer, markers)
    }
  }
  return (chat) => orRefusal(() => sideOf(maker.render(chat), readChat(chat), tokenizer, markers))
}

function sideOf(prompt: Prompt, conversation: Conversation, tokenizer: Tokenizer | undefined, markers: readonly string[]): Side {
  if (tokenizer === undefined || prompt.kind !== 'completion') return { prompt, conversation }
  return { prompt, conversation, ids: tokenize(prompt, tokenizer, { markers, bos: prompt.bos }).ids }
}

function orRefusal(write: () => Side): Side {
  try {
    return write()
  } catch (error) {
    if (error instanceof PromptError) return { refusal: error.problem }
    throw error
  }
}

async function pairConfigs(first: { loaded: LoadedConfig }, second: { loaded: LoadedConfig }, options: PairOptions): Promise<Paired> {
  const notes: Note[] = []
  const [one, other] = [await sidesOf(first.loaded, options, notes), await sidesOf(second.loaded, options, notes)]
  const isSingle = [one, other].every(({ models }) => models === 1)
  const found = new Map(other.prompts.map((prompt) => [keyOf(prompt, isSingle), prompt]))
  const pairs = one.prompts.flatMap((prompt) => {
    const match = found.get(keyOf(prompt, isSingle))
    return match ? [{ name: nameOf(prompt, isSingle), first: prompt.side, second: match.side }] : []
  })
  const unmatched = [one.prompts.length - pairs.length, other.prompts.length - pairs.length]
  if (unmatched.some((count) => count > 0))
    notes.push({
      code: 'unmatched',
      text: `${unmatched[0]} prompts only in the first, ${unmatched[1]} only in the second; they are not compared`,
    })
  if (pairs.length === 0)
    throw new PromptError('nothing-to-compare', {
      where: 'first, second',
      problem: 'no model, dataset and row in common',
      fix: 'compare configs whose datasets have the same names, and whose models have the same names or are single',
    })
  return { pairs, unit: 'row', notes }
}

type RowSide = { model: string; dataset: string; row: number; title: string; side: Side }

function keyOf({ model, dataset, row, title }: RowSide, isSingle: boolean): string {
  return JSON.stringify([isSingle ? '' : model, dataset, row, title])
}

function nameOf({ model, dataset, row, title }: RowSide, isSingle: boolean): string {
  return [...(isSingle ? [] : [model]), dataset, `row ${row}`, ...(title === '' ? [] : [title])].join(' · ')
}

/** The prompts of a config's first rows; for a row that the format rejects, the reason. */
async function sidesOf(
  { config, folder }: LoadedConfig,
  { limit, tokenizer: path }: PairOptions,
  notes: Note[],
): Promise<{ models: number; prompts: RowSide[] }> {
  const prompts: RowSide[] = []
  const models = config.models as ModelConfig[]
  for (const dataset of config.datasets as DatasetConfig[]) {
    const count = await countRows(dataset, folder, limit)
    const chosen = await rowsOf(
      dataset,
      Array.from({ length: count }, (_, index) => index),
      folder,
    )
    for (const note of chosen.notes) if (!notes.some(({ text }) => text === note.text)) notes.push(note)
    for (const model of models)
      prompts.push(...[...chosen.rows.keys()].flatMap((row) => rowSides(model, dataset, chosen, row, { folder, path, notes })))
  }
  return { models: models.length, prompts }
}

function rowSides(
  model: ModelConfig,
  dataset: DatasetConfig,
  chosen: ChosenRows,
  row: number,
  { folder, path, notes }: { folder: string; path: string | undefined; notes: Note[] },
): RowSide[] {
  const place = { model: model.abbr ?? 'model', dataset: dataset.abbr ?? 'dataset', row }
  const only = { ...chosen, rows: new Map([[row, chosen.rows.get(row)!]]) }
  try {
    const { value: views, notes: left } = asWritten(model, (written) => viewRows(written, dataset, only, { folder }))
    for (const note of left) if (!notes.some(({ text }) => text === note.text)) notes.push(note)
    return views.map((view) => ({ ...place, title: titleOf(view) ?? '', side: viewSide(view, path) }))
  } catch (error) {
    if (error instanceof PromptError) return [{ ...place, title: '', side: { refusal: error.problem } }]
    throw error
  }
}

function viewSide({ rendered, tokenizer, markers }: View, path: string | undefined): Side {
  return sideOf(rendered.prompt, rendered.conversation, path === undefined ? tokenizer : tokenizerAt(path), markers)
}

async function countRows(dataset: DatasetConfig, folder: string, limit: number): Promise<number> {
  let count = 0
  for await (const _ of openRows(dataset, folder).test) if (++count >= limit) break
  return count
}
