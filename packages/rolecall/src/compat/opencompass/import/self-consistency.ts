import type { Note } from '@rolecall/core/internal/errors'
import { samplingNames } from '../../../model/language-model/sampling-settings.ts'
import { className, fieldsOf, type ImportedEntry } from './imported-entry.ts'

/** Sampling settings that SCInferencer passes to the model. */
const sampled: readonly string[] = samplingNames

/** A dataset whose model is asked several times (`SCInferencer`), as one with `n` answers per row, whose majority is a metric. */
export function withSelfConsistency(entry: ImportedEntry, note: (note: Note) => void): ImportedEntry {
  const infer = fieldsOf(entry.infer_cfg)
  const { type, sc_size: size, generation_kwargs: generation, infer_type: _, ...inferencer } = fieldsOf(infer.inferencer)
  if (className(type) !== 'SCInferencer' || typeof size !== 'number') return entry
  const where = typeof entry.abbr === 'string' ? entry.abbr : 'a dataset'
  const dropped = Object.keys(fieldsOf(generation)).filter((name) => name !== 'do_sample' && !sampled.includes(name))
  if (dropped.length > 0)
    note({
      code: 'self-consistency',
      where,
      text: `generation_kwargs of SCInferencer: ${dropped.join(', ')} ${dropped.length > 1 ? 'are' : 'is'} not used`,
    })
  note({
    code: 'self-consistency',
    where,
    text: `SCInferencer samples ${size} answers: the vote is majority@${size}, and the main metric is the mean of all answers`,
  })
  const { sc_size: __, ...evaluation } = fieldsOf(entry.eval_cfg)
  const sampling = Object.fromEntries(Object.entries(fieldsOf(generation)).filter(([name]) => sampled.includes(name)))
  return {
    ...entry,
    n: size,
    k: [size],
    infer_cfg: { ...infer, inferencer: { ...inferencer, type: 'GenInferencer', ...sampling } },
    eval_cfg: evaluation,
  }
}
