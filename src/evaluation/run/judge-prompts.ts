import { dictEntries, dictFromEntries, dictGet, isList, type PyValue, pyStr } from '../../base/python/index.ts'
import type { ReplySyntax } from '../../model/reply/syntax.ts'
import { compilePrompt } from '../../prompt/compile/compile-prompt.ts'
import type { PromptMaker } from '../../prompt/compile/prompt-maker.ts'
import type { Row } from '../../prompt/conversation/row.ts'
import type { Prompt } from '../../prompt/format/format.ts'
import type { ModelConfig } from '../config/config-schema.ts'
import { goldFields, shownAnswers } from '../config/judge-fields.ts'
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
  syntax: ReplySyntax | undefined
}

/**
 * An answer to judge, or a list of several. `reference` is undefined if the dataset names no column for it; `opponent` is only set for
 * pairwise comparison.
 */
export type AnswerToJudge = { row: Row; prediction: PyValue; reference: PyValue | undefined; opponent?: PyValue | undefined }

/** Compiles the judge's prompts: its model's format, the evaluator's template. */
export function judgeMaker(model: ModelConfig, template: unknown, where: string): PromptMaker {
  return compilePrompt(model, { abbr: where, infer_cfg: { prompt_template: template as never } })
}

/** The columns that a judge's template shows alone in a turn: benchmarks whose rows have their own judge prompts (`{judge_prompt}`). */
export function promptColumns(template: unknown): string[] {
  const [, column] = typeof template === 'string' ? (/^\s*\{(\w+)\}\s*$/.exec(template) ?? []) : []
  if (column !== undefined) return shownNames.includes(column) ? [] : [column]
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(promptColumns) : []
}

const shownNames: readonly string[] = [...Object.values(shownAnswers).flat(), ...goldFields]

/** The judge's prompts: one per answer, or two answers in both orders. */
export function judgePrompts({ maker, columns }: Pick<Judge, 'maker' | 'columns'>, given: AnswerToJudge): Prompt[] {
  const prepared = maker.prepare({ mode: 'gen' })
  return questionsOf(given).map((fields) => prepared.prompt(filledColumns(fields, columns), []))
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

function questionsOf({ row, prediction, reference, opponent }: AnswerToJudge): Row[] {
  const gold = reference === undefined ? [] : goldFields.map((name) => [name, reference] as const)
  // A column of the row overrides the right answer, but not the answers to judge.
  const fields = [...gold, ...dictEntries(row)]
  if (opponent !== undefined) {
    return [
      dictFromEntries([...fields, ...bothShown(prediction, opponent)]),
      dictFromEntries([...fields, ...bothShown(opponent, prediction)]),
    ]
  }
  return (isList(prediction) ? prediction : [prediction]).map((answer) => dictFromEntries([...fields, ['prediction', answer]]))
}

function bothShown(first: PyValue, second: PyValue): [string, PyValue][] {
  return [
    ...shownAnswers.first.map((name): [string, PyValue] => [name, first]),
    ...shownAnswers.second.map((name): [string, PyValue] => [name, second]),
  ]
}
