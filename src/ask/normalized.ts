import type { Quirks } from '../config/fidelity.ts'
import type { Fitted } from '../fit/fit-examples.ts'
import type { Prompt } from '../format/format.ts'
import type { ScoredPrompt } from '../model/language-model.ts'
import { PromptError } from '../prompt-error.ts'
import { isText, plain, slicePieces, type TextPiece, textOf } from '../text/index.ts'
import { fitPrompts } from './fit-prompts.ts'
import type { PlanContext, RowQuestion } from './inferencer.ts'
import { asCompletion, perplexity } from './perplexity.ts'

/** A prompt, cut before the answer. */
export type SplitPrompt = { prompt: Prompt & { kind: 'completion' }; context: readonly TextPiece[]; answer: readonly TextPiece[] }

/**
 * The prompts of a row, one for each label, with as many examples as fit. The separator is not sent; the reference counts it
 * nevertheless.
 */
export function fitSplitPrompts(
  context: PlanContext,
  question: RowQuestion,
  labels: readonly string[],
  quirks: Quirks,
): { fitted: Fitted<Prompt[]>; parts: SplitPrompt[] } {
  const { count, maker, where } = context
  const separator = separatorOf(context)
  const split = (prompt: Prompt) => splitPrompt(asCompletion(prompt, where), separator, where)
  const countsSent = count && !quirks.has('separator-counted') ? { count: (prompt: Prompt) => count(wholePrompt(split(prompt))) } : {}
  const fitted = fitPrompts({ ...context, ...countsSent }, question, (asked) =>
    labels.map((label) => maker.render({ ...asked, mode: 'ppl', label, keepSeparator: true }).prompt),
  )
  return { fitted, parts: fitted.rendered.map(split) }
}

/** What is scored: every prompt as it is, then every answer behind `normalizing_str` alone. */
export function promptsToScore(parts: readonly SplitPrompt[], normalizer: string): Prompt[] {
  return [...parts.map(wholePrompt), ...parts.map((part) => answerAlone(part, normalizer))]
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

/** It is no prompt of the format, so that the tokenizer alone knows how a text starts. */
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

/** The text that stands between context and answer. */
function separatorOf({ dataset, where }: Pick<PlanContext, 'dataset' | 'where'>): string {
  const template = dataset.infer_cfg.prompt_template ?? dataset.infer_cfg.ice_template
  const separator = template && 'sep_token' in template ? template.sep_token : undefined
  if (typeof separator === 'string' && separator !== '') return separator
  throw new PromptError('missing', {
    where: `${where} › infer_cfg.prompt_template.sep_token`,
    problem: 'normalizing_str needs to know where the answer starts',
    fix: 'set sep_token, and write it before the answer in each label of the template',
  })
}
