import { type ChecksOf, isBoolean, isString } from '../base/errors/check-options.ts'
/** Which characters of the model's turns are trained. */
export type TrainingPolicy = {
  /** `turn`: everything the model writes, including the end-of-turn token; `content`: only its text. */
  train: 'turn' | 'content'
  /** All model turns, or the last one of each conversation. */
  turns: 'all' | 'last'
  /** Whether reasoning is trained, with its markers. */
  reasoning: boolean
  /** Whether tool calls are trained, with their markers. */
  calls: boolean
}

export const policyChecks = { train: isString, turns: isString, reasoning: isBoolean, calls: isBoolean } satisfies ChecksOf<TrainingPolicy>

/** Everything the model writes. */
export const wholeTurns: TrainingPolicy = { train: 'turn', turns: 'all', reasoning: true, calls: true }

/** Describes a policy for the manifest and summary. */
export function describePolicy({ train, turns, reasoning, calls }: TrainingPolicy): string {
  const what = train === 'turn' ? 'everything the model writes, including the end-of-turn token' : "the model's text"
  const which = turns === 'all' ? 'in all turns' : 'in the last turn'
  const without = [...(reasoning ? [] : ['its reasoning']), ...(calls ? [] : ['its calls'])]
  return [what, which, ...(without.length > 0 ? [`without ${without.join(' and ')}`] : [])].join(', ')
}
