import type { Rule } from '../rule.ts'

export const lmEvalRules = {
  'tuples-are-lists': {
    gives: 'value',
    reference: 'lm-evaluation-harness refuses a Python tuple in `until`.',
    rolecall: 'JSON and YAML have no tuples: a list of stop texts is a list.',
  },
} as const satisfies Record<string, Rule>
