import type { Rules } from './suite.ts'

/** Where our evaluators part from the reference's. */
export const evaluateRules: Rules = {}
