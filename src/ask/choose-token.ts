import type { Prompt } from '../format/format.ts'
import { PromptError } from '../prompt-error.ts'
import { dictGet, isList, pyStr } from '../python/index.ts'
import type { Tokenizer } from '../tokenize/tokenizer.ts'
import { generate } from './generate.ts'
import type { InferContext, Inferencer, RowQuestion, ScoredLabel } from './inferencer.ts'
import { asCompletion, bestOf, touches } from './perplexity.ts'
import { scoreAll } from './score-labels.ts'

/** CLPInferencer: the choice whose token is the likeliest to come next. */
export const chooseToken: Inferencer = {
  mode: 'gen',
  needs: 'score',
  weighsChoices: true,
  prompts: generate.prompts,
  async infer(context, question) {
    const choices = choicesOf(context, question)
    const tokens = choices.map((choice) => tokensOf(choice, context))
    const { inferred, scored } = await scoreAll(
      context,
      question,
      (asked) => {
        const [prompt] = generate.prompts(context, asked)
        return tokens.map((ids) => withAnswer(asCompletion(prompt!, context.where), ids))
      },
      // The choice is the prompt's last piece.
      (prompts) => (token, index) => touches(token, (piece) => piece === prompts[index]!.pieces.length - 1),
    )
    const scores = choices.map((label, index): ScoredLabel => {
      const { logProbabilities } = scored[index]!
      const value = logProbabilities.slice(-tokens[index]!.length).reduce<number>((sum, next) => sum + (next ?? 0), 0)
      return { label, value, logProbabilities }
    })
    return { ...inferred, scores, prediction: bestOf(scores, 'highest').label! }
  },
}

function withAnswer(prompt: Prompt & { kind: 'completion' }, ids: readonly number[]): Prompt {
  return { ...prompt, pieces: [...prompt.pieces, { ids, source: { by: 'field', path: 'choices' } }] }
}

/** The inferencer's own choices, else the row's column `choices`, as in the reference. */
function choicesOf({ dataset, where }: InferContext, { row }: RowQuestion): string[] {
  const given = dataset.infer_cfg.inferencer?.choices ?? dictGet(row, 'choices')
  if (isList(given) && given.length > 0) return given.map((choice) => pyStr(choice))
  throw new PromptError('missing', {
    where: `${where} › infer_cfg.inferencer.choices`,
    problem: 'there are no choices to compare',
    fix: 'write choices: ["A", "B"], or give the rows a column "choices" with a list',
  })
}

function tokensOf(choice: string, { model, dataset, where }: InferContext): readonly number[] {
  const tokenizer: Tokenizer | undefined = model.tokenizer
  const ids = tokenizer?.encodeRun(choice, false, () => false).ids ?? []
  const isSingle = dataset.infer_cfg.inferencer?.single_token ?? true
  if (ids.length === 1 || (ids.length > 1 && !isSingle)) return ids
  throw new PromptError('many-tokens', {
    where: `${where} › infer_cfg.inferencer.choices`,
    problem: `"${choice}" is ${ids.length} tokens for ${tokenizer?.name ?? 'this model'}`,
    fix: 'choose answers of one token, or set single_token: false',
  })
}
