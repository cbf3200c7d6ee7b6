import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { isText, plain, slicePieces, type TextPiece, textOf } from '@rolecall/core/internal/text'
import { asCompletion } from '../../../model/language-model/cannot-score.ts'
import type { ScoredPrompt } from '../../../model/language-model/language-model.ts'
import { comparedColumns } from './compared-columns.ts'
import { type RequestGenerator, type RequestPlan, type RequestPrompt, type RowQuestion, type ScoredLabel, scored } from './inferencer.ts'
import { bestOf, perplexity } from './perplexity.ts'

/** A prompt, cut before the answer. */
export type SplitPrompt = { prompt: Prompt & { kind: 'completion' }; context: readonly TextPiece[]; answer: readonly TextPiece[] }

/** Perplexity of the answer after its context, less that of the same answer after `normalizing_str`. */
export function* askNormalized(plan: RequestPlan, question: RowQuestion, labels: readonly string[], normalizer: string): RequestGenerator {
  const { where } = plan
  const separator = checkSeparator(plan)
  const written = labels.map((label) => plan.write({ ...question, mode: 'ppl', label, keepSeparator: true }))
  const parts = written.map(({ prompt }) => splitPrompt(asCompletion(prompt, where), separator, where))
  const whole = parts.map(
    (part, index): RequestPrompt => ({ prompt: wholePrompt(part), conversation: written[index]!.conversation, label: labels[index] }),
  )
  const alone = parts.map(
    (part, index): RequestPrompt => ({ prompt: answerAlone(part, normalizer), label: labels[index], isNormalizer: true }),
  )
  // The separator is not sent; the reference counts it nevertheless.
  const countsSeparator = plan.quirks.has('separator-counted')
  const found = yield* scored({
    kind: 'score',
    prompts: [...whole, ...alone],
    compared: comparedColumns(question.row),
    counted: (countsSeparator ? written : whole).map(({ prompt }) => prompt),
  })
  const values = normalizedPerplexities(parts, found, normalizer)
  const scores = labels.map((label, index): ScoredLabel => {
    return { label, value: values[index]!, logProbabilities: found[index]!.logProbabilities }
  })
  return { scores, prediction: bestOf(scores, 'lowest').label! }
}

/** For each prompt, the perplexity of its answer after its context less that of the same answer after `normalizing_str`. */
export function normalizedPerplexities(parts: readonly SplitPrompt[], scored: readonly ScoredPrompt[], normalizer: string): number[] {
  const ofAnswer = (index: number, characters: number) => {
    const { tokens, logProbabilities } = scored[index]!
    const from = tokens.findIndex(({ span: [, end] }) => end > characters)
    return perplexity(logProbabilities, from < 0 ? tokens.length : from)
  }
  return parts.map(({ context }, index) => ofAnswer(index, textOf(context).length) - ofAnswer(parts.length + index, normalizer.length))
}

function wholePrompt({ prompt, context, answer }: SplitPrompt): Prompt {
  return { ...prompt, pieces: [...context, ...answer] }
}

/** It is not a prompt of the format, so only the tokenizer knows how a text starts. */
function answerAlone({ prompt, answer }: SplitPrompt, normalizer: string): Prompt {
  const before = plain(normalizer, { by: 'template', path: 'infer_cfg.inferencer.normalizing_str' })
  return { ...prompt, bos: 'tokenizer', pieces: [before, ...answer] }
}

/** Cuts a prompt at its first separator; further ones are removed. */
function splitPrompt(prompt: Prompt & { kind: 'completion' }, separator: string, where: string): SplitPrompt {
  const pieces = prompt.pieces.filter(isText)
  const text = textOf(pieces)
  const at = text.indexOf(separator)
  if (pieces.length < prompt.pieces.length || at < 0) {
    throw new PromptError('separator-missing', {
      where: `${where} › infer_cfg.prompt_template.sep_token`,
      problem: at < 0 ? `the prompt has no ${JSON.stringify(separator)}` : 'the prompt has token ids or images in it',
      fix: 'write sep_token between the context and the answer of each label, to compare normalised perplexities',
    })
  }
  const answer: TextPiece[] = []
  for (let start = at + separator.length; start <= text.length; ) {
    const next = text.indexOf(separator, start)
    const end = next < 0 ? text.length : next
    answer.push(...slicePieces(pieces, start, end))
    start = end + separator.length
  }
  return { prompt, context: slicePieces(pieces, 0, at), answer }
}

/** The separator between context and answer. */
export function checkSeparator({ dataset, where }: Pick<RequestPlan, 'dataset' | 'where'>): string {
  const template = dataset.infer_cfg.prompt_template ?? dataset.infer_cfg.ice_template
  const separator = template && 'sep_token' in template ? template.sep_token : undefined
  if (typeof separator === 'string' && separator !== '') return separator
  throw new PromptError('missing', {
    where: `${where} › infer_cfg.prompt_template.sep_token`,
    problem: 'normalizing_str needs to know where the answer starts',
    fix: 'set sep_token, and write it before the answer in each label of the template',
  })
}
