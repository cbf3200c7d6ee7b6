import { check } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import type { ScoringPeers } from '../../python/word-split/word-tokenize.ts'
import type { Evaluator } from './evaluate/evaluator.ts'
import { type EvaluatorConfig, evaluatorOf } from './evaluate/evaluators.ts'
import type { PostprocessorsConfig } from './postprocess/postprocessor.ts'
import { postprocessorOf } from './postprocess/postprocessors.ts'

/** What an evaluator or postprocessor of a config needs besides its settings. */
export type ScorerOptions = {
  /** The place of the settings, for errors. */
  where?: string
  /** Packages that split Chinese text into words; `scoringPeers()` of `rolecall/node` finds them. */
  peers?: ScoringPeers
}

/** The same for an evaluator. */
export type EvaluatorOptions = ScorerOptions & {
  /** Which evaluator an empty config means: the one that compares answers with references (the default), or the mean of perplexities. */
  scores?: 'answers' | 'perplexities'
  /** Reproduces OpenCompass where it deviates from its documents. */
  compat?: 'opencompass'
}

const scorerFields = {
  where: z.optional(z.string()),
  peers: z.optional(z.custom<ScoringPeers>((value) => typeof value === 'object' && value !== null, 'expected an object')),
} satisfies { readonly [Key in keyof Required<ScorerOptions>]: z.FieldSchemas[string] }

const evaluatorSchema = z.strictObject({
  ...scorerFields,
  scores: z.optional(z.enum(['answers', 'perplexities'])),
  compat: z.optional(z.enum(['opencompass'])),
} satisfies { readonly [Key in keyof Required<EvaluatorOptions>]: z.FieldSchemas[string] })

const scorerSchema = z.strictObject(scorerFields)

/**
 * The evaluator that a config describes: its type with options, or a function.
 *
 * @example
 * const evaluator = evaluatorFrom({ type: 'AccEvaluator' })
 * evaluateAnswers(evaluator, ['B', 'C'], ['B', 'D']).figures // => { accuracy: 50 }
 */
export function evaluatorFrom(config?: EvaluatorConfig, options: EvaluatorOptions = {}): Evaluator<unknown> {
  check(evaluatorSchema, options, 'evaluatorFrom › options › ')
  const { where = 'evaluator', peers, scores = 'answers', compat } = options
  return evaluatorOf(config, scores === 'answers', where, peers, { place: where, compat })
}

/**
 * The postprocessor that a config describes: a type with options, or a list of them.
 *
 * @example
 * postprocessorFrom({ type: 'first_option_postprocess', options: 'ABCD' })('The answer is (C).') // => 'C'
 */
export function postprocessorFrom(config: PostprocessorsConfig | undefined, options: ScorerOptions = {}): (text: string) => PyValue {
  check(scorerSchema, options, 'postprocessorFrom › options › ')
  const { where = 'postprocessor', peers } = options
  return postprocessorOf(config, where, peers)
}
