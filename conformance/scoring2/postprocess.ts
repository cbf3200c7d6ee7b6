import type { Operation } from './suite.ts'

/** How the vectors call the postprocessors. */
export const postprocessOperations: Record<string, Operation> = {}
