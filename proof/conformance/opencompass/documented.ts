import { quirksOf } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { isLoose } from '../../../packages/core/src/prompt/conversation/conversation.ts'
import { textOf } from '../../../packages/rolecall/src/formats.ts'
import { outcomeOf, sameValue } from '../outcome.ts'
import { type Trial, trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'
import { examineSubject } from './judge.ts'
import { makerOf, pipelineSubject, renderVector } from './pipeline.ts'
import { plainValue } from './plain-value.ts'
import { promisedPrompt } from './promised-prompt.ts'
import type { PipelineVector } from './vector.ts'

/** The result that a document states, alongside the reference's. */
export type DocumentedVector = PipelineVector & { documented: unknown; documentedKind: 'final' | 'intermediate'; reference?: unknown }

/**
 * By default the document's result must come out. Where the printed text is not the concatenation of the strings of the config beside it,
 * that concatenation must come out, which is also the reference's result.
 */
export function examineDocumented(vector: DocumentedVector): Trial | Verdict {
  // Some examples show only a config; it must render, by the rule that promises it.
  if (vector.documented === '<see note>') return examineSubject(pipelineSubject(vector))
  const ours = outcomeOf(() =>
    vector.documentedKind === 'final' ? plainValue(renderVector(vector, quirksOf(undefined))) : turnsOf(vector),
  )
  return trial(ours, (result) => {
    if ('error' in result) return failed(result.error.message)
    if (sameValue(result.value, vector.documented)) return identical
    const literal = vector.documentedKind === 'final' ? promisedPrompt(vector) : undefined
    const isSlip = literal !== undefined && !sameValue(literal, vector.documented) && sameValue(literal, vector.reference)
    if (isSlip && sameValue(result.value, literal)) return { kind: 'rule', rule: 'typesetting-slip' }
    return failed(`gives ${JSON.stringify(result.value)}, documented ${JSON.stringify(vector.documented)}`)
  })
}

/** The filled dialogue as the documents print it: a list of turns. */
function turnsOf(vector: DocumentedVector): unknown {
  const { conversation } = makerOf(vector, quirksOf(undefined)).render({
    row: vector.entry,
    examples: vector.iceEntries,
    mode: vector.mode,
  })
  if (conversation.kind === 'text') return textOf(conversation.content)
  return conversation.sections.flatMap((section) =>
    section.items.map((item) =>
      isLoose(item)
        ? textOf(item.loose)
        : {
            role: item.role,
            ...(item.fallbackRole === undefined ? {} : { fallback_role: item.fallbackRole }),
            prompt: textOf(item.content ?? []),
          },
    ),
  )
}
