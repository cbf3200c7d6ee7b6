import type { ScoringRule } from '../../base/fidelity/scoring-fidelity.ts'

/** Where masks and ids differ from those of transformers and TRL. `docs/fidelity.md` is printed from this table. */
export const trainingRules = {
  'text-stays-text': {
    reference: 'Special tokens that somebody typed in a message become control tokens, as everywhere in transformers.',
    rolecall: 'They stay text, in training as in prompts: nothing that a user wrote ends a turn.',
  },
  'nothing-to-train': {
    reference: 'Says nothing about conversations in which a turn has neither words nor anything that ends it.',
    rolecall: 'That turn has no trained characters; the others have theirs.',
  },
} satisfies Record<string, ScoringRule>
