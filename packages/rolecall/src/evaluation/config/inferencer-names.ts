/** The inferencers that a config may name; `ask/inferencers.ts` implements them. */
export const inferencerNames = [
  'GenInferencer',
  'PPLInferencer',
  'LLInferencer',
  'CLPInferencer',
  'PPLOnlyInferencer',
  'ChatInferencer',
  'LmEvalGenInferencer',
  'LmEvalLikelihoodInferencer',
  'LmEvalRequestInferencer',
] as const
