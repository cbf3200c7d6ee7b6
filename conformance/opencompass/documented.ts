import { existsSync, readFileSync } from 'node:fs'
import { quirksOf } from '../../src/base/fidelity/fidelity.ts'
import { textOf } from '../../src/index.ts'
import { isLoose } from '../../src/prompt/conversation/conversation.ts'
import { judge, type Verdict } from '../judge.ts'
import { outcomeOf, sameValue } from '../outcome.ts'
import { makerOf, pipelineSubject, renderVector } from './pipeline.ts'
import { plainValue } from './plain-value.ts'
import type { PipelineVector } from './vector.ts'

/** The result that a document states, alongside the reference's. */
export type DocumentedVector = PipelineVector & { documented: unknown; documentedKind: 'final' | 'intermediate'; reference?: unknown }

/**
 * By default the document's result must come out. For examples with typesetting errors, which `docs/fidelity.md` lists,
 * the reference's result must come out.
 */
export function judgeDocumented(vector: DocumentedVector): Verdict {
  // Some examples show only a config; it must render, by the rule that promises it.
  if (vector.documented === '<see note>') return judge(pipelineSubject(vector))
  const ours = outcomeOf(() =>
    vector.documentedKind === 'final' ? plainValue(renderVector(vector, quirksOf(undefined))) : turnsOf(vector),
  )
  if ('error' in ours) return { kind: 'failed', why: ours.error.message }
  if (sameValue(ours.value, vector.documented)) return { kind: 'passed' }
  const name = vector.id.split('/').at(-1)!
  if (slips().includes(`\`${name}\``) && sameValue(ours.value, vector.reference)) return { kind: 'deviation', rule: 'typesetting-slip' }
  return { kind: 'failed', why: `gives ${JSON.stringify(ours.value)}, documented ${JSON.stringify(vector.documented)}` }
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

function slips(): string {
  const page = new URL('../../docs/fidelity.md', import.meta.url)
  return existsSync(page) ? readFileSync(page, 'utf8') : ''
}
