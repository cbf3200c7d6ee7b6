import { dictEntries, dictFromEntries, isList, type PyValue } from '../../base/python/index.ts'
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
export type Judge = { config: ModelConfig; maker: PromptMaker; syntax: ReplySyntax | undefined }

/**
 * An answer to judge, or a list of several. `reference` is undefined if the dataset names no column for it; `opponent` is only set for
 * pairwise comparison.
 */
export type AnswerToJudge = { row: Row; prediction: PyValue; reference: PyValue | undefined; opponent?: PyValue | undefined }

/** Compiles the judge's prompts: its model's format, the evaluator's template. */
export function judgeMaker(model: ModelConfig, template: unknown, where: string): PromptMaker {
  return compilePrompt(model, { abbr: where, infer_cfg: { prompt_template: template as never } })
}

/** The judge's prompts: one per answer, or two answers in both orders. */
export function judgePrompts(maker: PromptMaker, given: AnswerToJudge): Prompt[] {
  const prepared = maker.prepare({ mode: 'gen' })
  return questionsOf(given).map((fields) => prepared.prompt(fields, []))
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
