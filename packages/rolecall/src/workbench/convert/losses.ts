import type { Layout } from './format-layout.ts'
import type { Feature } from './generate-conversations.ts'

/** A loss of a conversion: the affected conversations, and why. */
export type Loss = { features: readonly Feature[]; why: string }

/** What a target language can express. */
export type Abilities = {
  /** The name of the language: "a meta template". */
  language: string
  trims?: true
  joinsNeighbours?: true
  stripsReasoning?: readonly NonNullable<Layout['stripsReasoning']>[]
  endsByPosition?: true
  completeEnd?: true
  systemAnywhere?: true
  emptySystem?: true
  noReplyAfterAnswer?: true
  /** The fixed separator of two leading system messages; undefined if it is free. */
  systemJoint?: string
  tools?: true
}

/** Why a language cannot express a layout. Comparing finds that prompts differ; this explains it. */
export function lossesOf(layout: Layout, able: Abilities): Loss[] {
  const { language } = able
  const losses: Loss[] = []
  const tell = (features: readonly Feature[], why: string) => losses.push({ features, why })
  if (!able.trims && Object.values(layout.trims).some((trim) => trim !== 'none'))
    tell(['spaces'], `texts are trimmed, but ${language} writes them unchanged`)
  if (!able.joinsNeighbours && typeof layout.neighbours === 'object')
    tell(
      ['neighbours'],
      `consecutive messages of one role are joined by ${JSON.stringify(layout.neighbours.joint)}, but ${language} writes two turns`,
    )
  if (layout.stripsReasoning !== undefined && !able.stripsReasoning?.includes(layout.stripsReasoning))
    tell(['reasoning'], `reasoning up to </think> is stripped from earlier replies, which ${language} does not do the same way`)
  if (!able.endsByPosition && layout.ends !== undefined)
    tell(['assistant-first'], `the end of a message depends on its position, but in ${language} on its role`)
  if (!able.completeEnd && layout.complete !== '')
    tell(['complete'], `a complete conversation ends with ${JSON.stringify(layout.complete)}, which ${language} has no place for`)
  if (!able.systemAnywhere && layout.turns.system !== undefined)
    tell(['late-system'], `system messages may be anywhere, but in ${language} only at the start`)
  if (!able.noReplyAfterAnswer && layout.noReplyAfterAnswer)
    tell(['ends-with-answer'], `there is no generation prompt after a final assistant message, but ${language} always writes one`)
  if (!able.emptySystem && layout.system?.empty !== undefined)
    tell(['empty-system'], `an empty system message has no markup, but ${language} writes it`)
  if (able.systemJoint !== undefined && layout.system !== undefined && layout.system.joint !== able.systemJoint)
    tell(['two-systems'], `two system messages are not joined by ${JSON.stringify(able.systemJoint)}, as ${language} does`)
  if (!able.tools && typeof layout.tools === 'object') tell(['tools'], `${language} has no place for tools`)
  if (layout.tools === 'written') tell(['tools'], `tools use the format's own syntax, which ${language} cannot express`)
  if (layout.calls === 'written') tell(['calls'], `calls use the format's own syntax, which ${language} cannot express`)
  return losses
}
