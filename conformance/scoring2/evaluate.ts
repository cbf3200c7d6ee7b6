import type { Operation } from './suite.ts'

/** How the vectors call the evaluators. */
export const evaluateOperations: Record<string, Operation> = {}
