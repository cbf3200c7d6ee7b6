/** The inferencers that a config may name; `ask/inferencers.ts` has what they do. */
export const inferencerNames = [
  'GenInferencer',
  'PPLInferencer',
  'LLInferencer',
  'CLPInferencer',
  'PPLOnlyInferencer',
  'ChatInferencer',
  'LmEvalGenInferencer',
  'LmEvalLikelihoodInferencer',
] as const
