import type { Suite } from '../suite.ts'
import { generationBlocks, templatesDiffer } from './blocks.ts'
import { maskedIds } from './ids.ts'
import { nextTurns } from './next-turns.ts'
import { prefixPreserved } from './prefix.ts'
import { isConversation } from './references.ts'
import { spansByPrefix } from './spans.ts'

/** The conversations that vectors reference. */
const conversations: Suite = {
  name: 'masks',
  recognises: isConversation,
  examine: () => ({ kind: 'consistent', why: 'conversations of other vectors' }),
}

/** Which characters and tokens the model writes, whether prompts only grow, and what the next turn appends. */
export const masks: readonly Suite[] = [
  generationBlocks,
  templatesDiffer,
  maskedIds,
  spansByPrefix,
  prefixPreserved,
  nextTurns,
  conversations,
]
