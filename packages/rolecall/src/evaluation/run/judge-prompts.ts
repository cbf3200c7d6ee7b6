import type { PromptMaker } from '@rolecall/core/internal/compile'
import { compilePrompt } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import type { Compat } from '@rolecall/core/internal/fidelity'
import type { Prompt } from '@rolecall/core/internal/format'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { ReplySyntax } from '@rolecall/core/internal/reply'
import type { Piece } from '@rolecall/core/internal/text'
import type { ModelConfig } from '../config/config-schema.ts'
import { goldFields, shownAnswers } from '../config/judge-fields.ts'
import type { Reader } from '../score/postprocess/postprocessors.ts'
import { requestsText } from './ask/request-text.ts'

/**
 * The model that judges a dataset's answers, its prompts, and how it marks its reasoning; undefined if the reasoning is part of its
 * verdict, as in the reference.
 */
export type Judge = {
  config: ModelConfig
  maker: PromptMaker
  /** The columns that are whole prompts of the judge, with fields of their own. */
  columns: readonly string[]
  /** Whether the rounds of a chat are shown as one list of dicts. */
  packsRounds?: boolean
  syntax: ReplySyntax | undefined
  /** The judge's own postprocessor, which its replies pass before the evaluator reads them. */
  read: Reader
}

/**
 * An answer to judge, or a list of several. `reference` is undefined if the dataset names no column for it; `opponent` is only set for
 * pairwise comparison.
 */
export type AnswerToJudge = {
  row: Row
  prediction: PyValue
  reference: PyValue | undefined
  opponent?: PyValue | undefined
  /** The replies of a chat, which are one answer. */
  rounds?: readonly PyValue[]
}

/** Compiles the judge's prompts: its model's format, the evaluator's template. In the reference, `reference` is the masked answer column. */
export function judgeMaker(model: ModelConfig, template: unknown, where: string, compat?: Compat): PromptMaker {
  const reference = compat ? { compat, reader_cfg: { output_column: goldFields[1] } } : {}
  return compilePrompt(model, { abbr: where, ...reference, infer_cfg: { prompt_template: template as never } })
}

/** The columns that a judge's template shows alone in a turn: benchmarks whose rows have their own judge prompts (`{judge_prompt}`). */
export function promptColumns(template: unknown): string[] {
  const [, column] = typeof template === 'string' ? (/^\s*\{(\w+)\}\s*$/.exec(template) ?? []) : []
  if (column !== undefined) return shownNames.includes(column) ? [] : [column]
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(promptColumns) : []
}

const shownNames: readonly string[] = [...Object.values(shownAnswers).flat(), ...goldFields]

/** The judge's prompts: one per answer, or two answers in both orders. */
export function judgePrompts({ maker, ...judge }: Pick<Judge, 'maker' | 'columns' | 'packsRounds'>, given: AnswerToJudge): Prompt[] {
  const prepared = maker.prepare({ mode: 'gen' })
  return judgeRows(judge, given).map((fields) => judgedOrigins(prepared.prompt(fields, []), given.row))
}

/** The prompt with its origins: the replies are the model's, and the right answer is no column of the row unless the row has one of its name. */
export function judgedOrigins(prompt: Prompt, row: Row): Prompt {
  const mark = (pieces: readonly Piece[]) => pieces.map((piece) => judgedPiece(piece, row))
  if (prompt.kind === 'completion') return { ...prompt, pieces: mark(prompt.pieces) }
  return { ...prompt, messages: prompt.messages.map((message) => ({ ...message, content: mark(message.content) })) }
}

function judgedPiece(piece: Piece, row: Row): Piece {
  const { by, path } = piece.source
  if (by !== 'field') return piece
  if (repliesShown.has(path) || /^prediction\d*_r\d+$/.test(path)) return { ...piece, source: { ...piece.source, by: 'model' } }
  const isGold = (goldFields as readonly string[]).includes(path) && dictGet(row, path) === undefined
  return isGold ? { ...piece, answer: true } : piece
}

const repliesShown: ReadonlySet<string> = new Set(Object.values(shownAnswers).flat())

/** What the judge's template is filled with, for each of its prompts. */
export function judgeRows({ columns, packsRounds }: Pick<Judge, 'columns' | 'packsRounds'>, given: AnswerToJudge): Row[] {
  return questionsOf(packsRounds ? packed(given) : given).map((fields) => filledColumns(fields, columns))
}

/** Fills the answers and other fields into columns that are prompts, once; values are not filled again. */
function filledColumns(fields: Row, columns: readonly string[]): Row {
  if (columns.length === 0) return fields
  // Inverse IFEval's prompts call the answer {response}.
  const valueIn = (name: string) => dictGet(fields, name) ?? (name === 'response' ? dictGet(fields, 'prediction') : undefined)
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (field, name: string) => {
      const value = valueIn(name)
      return value === undefined ? field : pyStr(value)
    })
  return dictFromEntries(
    dictEntries(fields).map(([name, value]) => [name, columns.includes(name) && typeof value === 'string' ? fill(value) : value]),
  )
}

/** A judge's prompt as one text for a hash. */
export function judgePromptText(prompt: Prompt): string {
  return requestsText([{ kind: 'generate', prompts: [{ prompt }], samples: 1 }])
}

/** Whether the judge gets several prompts and returns a list of verdicts. */
export function hasSeveralQuestions({ prediction, opponent }: AnswerToJudge): boolean {
  return opponent !== undefined || isList(prediction)
}

/** The same answers with their rounds as OpenCompass prints them. */
function packed({ rounds, opponent, ...given }: AnswerToJudge): AnswerToJudge {
  if (!rounds) return { ...given, ...(opponent === undefined ? {} : { opponent }) }
  const dialogue = dictGet(given.row, 'dialogue')
  const turns = isList(dialogue) ? dialogue : []
  const asked = turns.flatMap((turn) => (isDict(turn) && dictGet(turn, 'role') === 'user' ? [dictGet(turn, 'content') ?? ''] : []))
  const shown = (replies: readonly PyValue[]) =>
    pyStr(replies.map((assistant, index): PyValue => ({ round: index + 1, user: asked[index] ?? '', assistant })))
  const other = opponent !== undefined && isList(opponent) ? shown(opponent) : opponent
  return { ...given, prediction: shown(rounds), ...(other === undefined ? {} : { opponent: other }) }
}

/** The rounds of the first and of the second answer, with OpenCompass's names. */
function roundFields(first: PyValue | readonly PyValue[] | undefined, second?: PyValue | readonly PyValue[]): [string, PyValue][] {
  return [first, second].flatMap((replies, place) =>
    Array.isArray(replies)
      ? replies.map((reply: PyValue, index): [string, PyValue] => [`prediction${place === 0 ? '' : place}_r${index + 1}`, reply])
      : [],
  )
}

function questionsOf({ row, prediction, reference, opponent, rounds }: AnswerToJudge): Row[] {
  const columns = dictEntries(row)
  // A column of the row overrides the right answer, but not the answers to judge. The order is the reference's, which fills column by column.
  const gold = reference === undefined ? [] : goldFields.filter((name) => dictGet(row, name) === undefined)
  const shown = (answers: readonly [string, PyValue][], turns: readonly [string, PyValue][]) =>
    dictFromEntries([...columns, ...answers, ...turns, ...gold.map((name): [string, PyValue] => [name, reference!])])
  if (opponent !== undefined) {
    return [
      shown(bothShown(prediction, opponent), roundFields(rounds, opponent)),
      shown(bothShown(opponent, prediction), roundFields(opponent, rounds)),
    ]
  }
  return (isList(prediction) ? prediction : [prediction]).map((answer) => shown([['prediction', answer]], roundFields(rounds)))
}

function bothShown(first: PyValue, second: PyValue): [string, PyValue][] {
  return [
    ...shownAnswers.first.map((name): [string, PyValue] => [name, first]),
    ...shownAnswers.second.map((name): [string, PyValue] => [name, second]),
  ]
}
