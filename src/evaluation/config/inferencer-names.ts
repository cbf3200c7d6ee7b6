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

/** Whether an inferencer, named with or without its module, reads templates and rows as chats: message by message, without rounds. */
export function readsChats(type: string | undefined): boolean {
  return type?.split('.').at(-1) === 'ChatInferencer'
}
