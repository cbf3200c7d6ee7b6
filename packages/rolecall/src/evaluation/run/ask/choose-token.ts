import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { dictGet, isList, pyStr } from '@rolecall/core/internal/python'
import { asCompletion } from '../../../model/language-model/cannot-score.ts'
import { comparedColumns } from './compared-columns.ts'
import { type Inferencer, type RequestPlan, type RequestPrompt, type RowQuestion, type ScoredLabel, scored } from './inferencer.ts'
import { bestOf, touches } from './perplexity.ts'

/** CLPInferencer: the choice whose token is the most likely next token. */
export const chooseToken: Inferencer = {
  mode: 'gen',
  needs: 'score',
  needsTokenizer: true,
  scoresChoices: true,
  check(plan) {
    const given = plan.dataset.infer_cfg.inferencer?.choices
    if (given !== undefined && plan.tokenizer) for (const choice of choicesIn(given, plan)) tokensOf(choice, plan)
  },
  *ask(plan, question) {
    const choices = choicesOf(plan, question)
    const tokens = choices.map((choice) => tokensOf(choice, plan))
    const { prompt, conversation } = plan.write({ ...question, mode: 'gen' })
    const open = asCompletion(prompt, plan.where)
    const asked = tokens.map((ids, index): RequestPrompt => ({ prompt: withAnswer(open, ids), conversation, label: choices[index] }))
    const last = open.pieces.length
    const found = yield* scored({
      kind: 'score',
      prompts: asked,
      // The choice is the prompt's last piece.
      needs: (token) => touches(token, (piece) => piece === last),
      compared: comparedColumns(question.row),
    })
    const scores = choices.map((label, index): ScoredLabel => {
      const { logProbabilities } = found[index]!
      const value = logProbabilities.slice(-tokens[index]!.length).reduce<number>((sum, next) => sum + (next ?? 0), 0)
      return { label, value, logProbabilities }
    })
    return { scores, prediction: bestOf(scores, 'highest').label! }
  },
}

function withAnswer(prompt: Prompt & { kind: 'completion' }, ids: readonly number[]): Prompt {
  const { pieces } = prompt
  return {
    ...prompt,
    pieces: [...pieces, { ids, source: { by: 'field', path: 'choices' } }],
    answer: { start: pieces.length, end: pieces.length + 1 },
  }
}

/** The inferencer's own choices, else the row's column `choices`, as in the reference. */
function choicesOf(plan: RequestPlan, { row }: RowQuestion): string[] {
  return choicesIn(plan.dataset.infer_cfg.inferencer?.choices ?? dictGet(row, 'choices'), plan)
}

function choicesIn(given: unknown, { where }: RequestPlan): string[] {
  if (isList(given) && given.length > 0) return given.map((choice) => pyStr(choice))
  throw new PromptError('missing', {
    where: `${where} › infer_cfg.inferencer.choices`,
    problem: 'there are no choices to compare',
    fix: 'write choices: ["A", "B"], or give the rows a column "choices" with a list',
  })
}

function tokensOf(choice: string, { tokenizer, dataset, where }: RequestPlan): readonly number[] {
  if (!tokenizer) {
    throw new PromptError('no-tokenizer', {
      where: `${where} › infer_cfg.inferencer.type`,
      problem: "CLPInferencer compares token ids, but the model's tokenizer is not known",
      fix: 'set tokenizer_path to an existing folder or file, or use PPLInferencer',
    })
  }
  const { ids } = tokenizer.encodeRun(choice, false, () => false)
  const isSingle = dataset.infer_cfg.inferencer?.single_token ?? true
  if (ids.length === 1 || (ids.length > 1 && !isSingle)) return ids
  throw new PromptError('many-tokens', {
    where: `${where} › infer_cfg.inferencer.choices`,
    problem: `"${choice}" is ${ids.length} tokens for ${tokenizer.name}`,
    fix: 'choose answers of one token, or set single_token: false',
  })
}
