import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'

/**
 * How the shown prompt relates to the one sent: `proven` by its hash; `kept` by the run and the same; `kept-differs`: recorded, but
 * rendering gives something else now; `kept-alone`: recorded, but cannot be rendered; `differs`: rendered with another hash;
 * `again`: rendered without a hash to check; `never-sent`: the row failed before anything was sent.
 */
export type Provenance = 'proven' | 'kept' | 'kept-differs' | 'kept-alone' | 'differs' | 'again' | 'never-sent'

type Recorded = Pick<RowRecord, 'prompts' | 'prompt_hash' | 'prediction'>

/** Compares the prompts rendered now with the record; recorded prompts take precedence. */
export function provenanceOf(rendered: readonly string[] | undefined, record: Recorded, hash: (text: string) => string): Provenance {
  const { prompts, prompt_hash: wanted } = record
  if (!rendered) return 'kept-alone'
  if (prompts) return isSame(rendered, prompts) ? 'kept' : 'kept-differs'
  if (wanted === '') return record.prediction === null ? 'never-sent' : 'again'
  return hash(rendered.join('\u0000')) === wanted ? 'proven' : 'differs'
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index])
}
