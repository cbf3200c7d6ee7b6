import type { PipelineVector } from './vector.ts'

/**
 * A vector of OpenICL, the ancestor: the prompt's template writes the examples as well, and without an ice token the
 * examples are never asked for.
 */
export function openiclVector(vector: PipelineVector): PipelineVector {
  const usesExamples = Boolean(vector.promptTemplate?.ice_token)
  return { ...vector, iceTemplate: usesExamples ? vector.promptTemplate : null, iceEntries: usesExamples ? vector.iceEntries : [] }
}
