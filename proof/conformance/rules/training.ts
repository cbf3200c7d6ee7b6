import type { Rule } from '../rule.ts'

/** Where masks and ids differ from those of transformers and TRL. `docs/fidelity.md` is printed from this table. */
export const trainingRules = {
  'text-stays-text': {
    gives: 'value',
    reference: 'Special tokens that somebody typed in a message become control tokens, as everywhere in transformers.',
    rolecall: 'They stay text, in training as in prompts: nothing that a user wrote ends a turn.',
  },
  'nothing-to-train': {
    gives: 'value',
    reference: 'Says nothing about conversations in which a turn has neither words nor anything that ends it.',
    rolecall: 'That turn has no trained characters; the others have theirs.',
  },
} as const satisfies Record<string, Rule>
