import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { bm25Retriever } from './bm25.ts'
import { dppRetriever } from './diverse-selection.ts'
import { mdlRetriever } from './minimum-description.ts'
import { randomRetriever } from './random-rows.ts'
import type { Retriever } from './retriever.ts'
import { subjectRetriever } from './same-subject.ts'
import { slidingWindowRetriever } from './sliding-window.ts'
import { topkRetriever } from './topk.ts'
import { votekRetriever } from './vote-k.ts'

/** All retrievers that choose from all rows, in the order of the docs. Zero and FixK do not choose. */
const allRetrievers = [
  randomRetriever,
  slidingWindowRetriever,
  subjectRetriever,
  bm25Retriever,
  topkRetriever,
  dppRetriever,
  votekRetriever,
  mdlRetriever,
]

/** Retrievers by their names in OpenCompass. */
export const retrievers: Readonly<Record<string, Retriever>> = Object.fromEntries(allRetrievers.map((one) => [one.name, one]))

/** The retriever with this name, or an error that lists the known ones. */
export function retrieverOf(type: string, where: string): Retriever {
  const found = Object.hasOwn(retrievers, type) ? retrievers[type] : undefined
  if (found) return found
  throw new PromptError('unknown-retriever', {
    where: `${where}.type`,
    problem: `"${type}" is not available`,
    fix: suggestName(type, ['ZeroRetriever', 'FixKRetriever', ...Object.keys(retrievers)]),
  })
}
