import type { Feature } from './conversations.ts'
import type { Layout } from './layout.ts'

/** What a conversion cannot express: in which conversations it shows, and why. */
export type Loss = { features: readonly Feature[]; why: string }

/** What a language of formats is able to say of a layout. */
export type Abilities = {
  /** How the language is called: "a meta template". */
  language: string
  trims?: true
  joinsNeighbours?: true
  stripsReasoning?: readonly NonNullable<Layout['stripsReasoning']>[]
  endsByPosition?: true
  completeEnd?: true
  systemAnywhere?: true
  emptySystem?: true
  noReplyAfterAnswer?: true
  /** What stands between two system texts at the start; undefined: anything can. */
  systemJoint?: string
  tools?: true
}

/** Why a language cannot write some conversations as a layout does. That it does not is found by comparing; this says why. */
export function lossesOf(layout: Layout, able: Abilities): Loss[] {
  const { language } = able
  const losses: Loss[] = []
  const tell = (features: readonly Feature[], why: string) => losses.push({ features, why })
  if (!able.trims && Object.values(layout.trims).some((trim) => trim !== 'none'))
    tell(['spaces'], `texts are trimmed, and ${language} writes them as they are`)
  if (!able.joinsNeighbours && typeof layout.neighbours === 'object')
    tell(
      ['neighbours'],
      `what one role says twice in a row is joined by ${JSON.stringify(layout.neighbours.joint)}, and ${language} writes two turns`,
    )
  if (layout.stripsReasoning !== undefined && !able.stripsReasoning?.includes(layout.stripsReasoning))
    tell(['reasoning'], `earlier replies lose what stands before </think>, and ${language} does not cut in the same way`)
  if (!able.endsByPosition && layout.ends !== undefined)
    tell(['assistant-first'], `what follows a message goes by its position, and in ${language} by its role`)
  if (!able.completeEnd && layout.complete !== '')
    tell(['complete'], `a complete conversation ends with ${JSON.stringify(layout.complete)}, which ${language} has no place for`)
  if (!able.systemAnywhere && layout.turns.system !== undefined)
    tell(['late-system'], `a system text may stand anywhere, and in ${language} only at the start`)
  if (!able.noReplyAfterAnswer && layout.noReplyAfterAnswer)
    tell(['ends-with-answer'], `no reply is asked for where the assistant has spoken last, and ${language} always asks for one`)
  if (!able.emptySystem && layout.system?.empty !== undefined)
    tell(['empty-system'], `nothing is written around an empty system text, and ${language} writes its markup`)
  if (able.systemJoint !== undefined && layout.system !== undefined && layout.system.joint !== able.systemJoint)
    tell(['two-systems'], `two system texts are not joined by ${JSON.stringify(able.systemJoint)}, as ${language} does`)
  if (!able.tools && typeof layout.tools === 'object') tell(['tools'], `${language} has no place for tools`)
  if (layout.tools === 'written') tell(['tools'], `tools are written in a way of its own, which ${language} is not given`)
  if (layout.calls === 'written') tell(['calls'], `calls are written in a way of its own, which ${language} is not given`)
  return losses
}
