import type { ScoringRuleName } from '../../src/base/fidelity/scoring-fidelity.ts'
import type { Outcome } from '../outcome.ts'
import { replicasOfReference } from './evaluate.ts'
import { near, plain, type ScoringVector } from './vector.ts'

/** Whether a rule explains a difference from the reference, judged by the input and by what the reference does with it. */
type Explains = (vector: ScoringVector, ours: Outcome) => boolean

const whereItFails = (op: string, holds: (args: ScoringVector['args']) => boolean): Explains => {
  return (vector, ours) => vector.op === op && vector.expected === undefined && 'value' in ours && holds(vector.args)
}

const list = (value: unknown) => (Array.isArray(value) ? value : [])

export const rules: Partial<Record<ScoringRuleName, Explains>> = {
  'single-accepted-answer': whereItFails('EMEvaluator', ({ references }) => list(references).some((one) => !Array.isArray(one))),
  'list-as-prediction': whereItFails('AccEvaluator', ({ predictions }) => list(predictions).some((one) => Array.isArray(one))),
  'uneven-references': whereItFails(
    'BleuEvaluator',
    ({ references }) => new Set(list(references).map((one) => (Array.isArray(one) ? one.length : 1))).size > 1,
  ),
  'replica-details-overwritten'({ op, args, expected }, ours) {
    if (op !== 'evaluate_replicas' || !('value' in ours) || !expected) return false
    return near(plain(replicasOfReference(args as never)), expected.value, 1e-9)
  },
  'squad-bare-number': whereItFails('evaluate_replicas', ({ evaluator }) => evaluator === 'SquadEvaluator'),
  'squad-several-answers': whereItFails('SquadEvaluator', ({ references }) => list(references).some((one) => Array.isArray(one))),
  'dpp-order': whereItFails('dpp_retrieve', () => true),
  'bm25-k1-zero': ({ op, args }) => op === 'bm25_okapi' && (plain(args.params) as { k1?: number } | undefined)?.k1 === 0,
  'no-perplexity': ({ op, args }, ours) =>
    /^(?:ppl|ll)_select$/.test(op) && 'value' in ours && list(args.ppl ?? args.loglikelihood).some((one) => Number.isNaN(one)),
  // Only periods within a text matter, and only whether they are separate tokens.
  'punkt-model'({ flags, args, expected }, ours) {
    if (!flags.includes('needs-punkt') || typeof args.text !== 'string' || !/\.\s+\S/.test(args.text) || !('value' in ours)) return false
    const letters = (tokens: unknown) => list(tokens).join('').replace(/[.\s]/g, '')
    return letters(ours.value) === letters(expected?.value)
  },
}
