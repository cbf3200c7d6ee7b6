import type { Rules } from './suite.ts'

/** Where our postprocessors part from the reference's. */
export const postprocessRules: Rules = {}
