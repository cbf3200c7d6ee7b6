import { dictEntries, dictFromEntries, isList, type PyValue } from '../../base/python/index.ts'
import { compilePrompt } from '../../prompt/compile/compile-prompt.ts'
import type { PromptMaker } from '../../prompt/compile/prompt-maker.ts'
import type { Row } from '../../prompt/conversation/row.ts'
import type { Prompt } from '../../prompt/format/format.ts'
import type { ModelConfig } from '../config/config-schema.ts'
import { goldFields, shownAnswers } from '../config/judge-fields.ts'
import { requestsText } from './ask/request-text.ts'

/** The model that judges a dataset's answers, and its prompts. */
export type Judge = { config: ModelConfig; maker: PromptMaker }

/**
 * An answer to be judged, or a list of several; there is no `reference` where the dataset names no column for it, and an `opponent`
 * only where two answers are compared.
 */
export type AnswerToJudge = { row: Row; prediction: PyValue; reference: PyValue | undefined; opponent?: PyValue | undefined }

/** The judge's prompts are made like any other: its model's format, the evaluator's template. */
export function judgeMaker(model: ModelConfig, template: unknown, where: string): PromptMaker {
  return compilePrompt(model, { abbr: where, infer_cfg: { prompt_template: template as never } })
}

/** What the judge is asked: about each answer, or about two answers in both orders. */
export function judgePrompts(maker: PromptMaker, given: AnswerToJudge): Prompt[] {
  const prepared = maker.prepare({ mode: 'gen' })
  return questionsOf(given).map((fields) => prepared.prompt(fields, []))
}

/** What a judge is asked, as one text for a hash. */
export function judgePromptText(prompt: Prompt): string {
  return requestsText([{ kind: 'generate', prompts: [{ prompt }], samples: 1 }])
}

/** Whether the judge is asked several questions, and so gives a list of verdicts. */
export function hasSeveralQuestions({ prediction, opponent }: AnswerToJudge): boolean {
  return opponent !== undefined || isList(prediction)
}

function questionsOf({ row, prediction, reference, opponent }: AnswerToJudge): Row[] {
  const gold = reference === undefined ? [] : goldFields.map((name) => [name, reference] as const)
  // A row's own column of such a name comes before the right answer, and behind the answers.
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
