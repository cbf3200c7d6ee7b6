import type { PipelineVector } from './vector.ts'

/**
 * A vector of OpenICL, OpenCompass's ancestor: the prompt template also renders the examples, and without an ice token
 * examples are never rendered.
 */
export function openiclVector(vector: PipelineVector): PipelineVector {
  const usesExamples = Boolean(vector.promptTemplate?.ice_token)
  return { ...vector, iceTemplate: usesExamples ? vector.promptTemplate : null, iceEntries: usesExamples ? vector.iceEntries : [] }
}
