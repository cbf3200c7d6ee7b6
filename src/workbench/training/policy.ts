/** Which characters of the model's turns are trained. */
export type TrainingPolicy = {
  /** `turn`: all that the model writes, with the token that ends its turn; `content`: only its words. */
  train: 'turn' | 'content'
  /** All turns of the model, or the last one of each conversation. */
  turns: 'all' | 'last'
  /** Whether what it thought is trained, with the marks around it. */
  reasoning: boolean
  /** Whether its calls of tools are trained, with the marks around them. */
  calls: boolean
}

/** What the model itself writes, all of it. */
export const wholeTurns: TrainingPolicy = { train: 'turn', turns: 'all', reasoning: true, calls: true }

/** A policy in words, as a manifest and a summary name it. */
export function describePolicy({ train, turns, reasoning, calls }: TrainingPolicy): string {
  const what = train === 'turn' ? 'what the model writes, to and including the token that ends its turn' : 'the words of the model'
  const which = turns === 'all' ? 'in all of its turns' : 'in its last turn'
  const without = [...(reasoning ? [] : ['its reasoning']), ...(calls ? [] : ['its calls'])]
  return [what, which, ...(without.length > 0 ? [`without ${without.join(' and ')}`] : [])].join(', ')
}
