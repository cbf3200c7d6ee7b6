import type { Note } from '../../../base/errors/note.ts'
import { isDict } from '../../../base/python/index.ts'
import type { ImportedEntry } from './imported-entry.ts'

/** The column that holds the answers of a base model, where a config gives them as a file. */
export const baseColumn = 'base_prediction'

/** The `dict_postprocessor` with the arithmetic of a summarizer, for configs that leave it to one. */
const readersOfSummarizers: Readonly<Record<string, string>> = {
  ArenaHardSummarizer: 'arenahard_postprocess',
  AlpacaSummarizer: 'alpacaeval_postprocess',
  CompassArenaSummarizer: 'compassarena_postprocess',
  WildBenchPairSummarizer: 'wildbench_postprocess',
}

/**
 * A dataset whose answers OpenCompass compares with those of a base model (`mode='m2n'`): the base model goes to the evaluator, and its
 * answers, if `given_pred` says where they are, become a column.
 */
export function withOpponent(entry: ImportedEntry, note: (note: Note) => void): ImportedEntry {
  const evaluation = fields(entry.eval_cfg)
  const evaluator = fields(evaluation?.evaluator)
  const [base, ...others] = [entry.base_models].flat().map((model) => fields(model)?.abbr)
  if (entry.mode !== 'm2n' || typeof base !== 'string' || named(evaluator?.type) !== 'LMEvaluator') return entry
  const where = typeof entry.abbr === 'string' ? entry.abbr : 'a dataset'
  const tell = (code: string, text: string) => note({ code, where, text })
  if (others.length > 0) tell('base-models', `answers are compared with those of ${base}, not with those of ${others.join(', ')}`)
  if (entry.infer_order === 'random')
    tell('both-orders', 'OpenCompass shows two answers in an order that it draws; here the judge sees both orders of each pair')
  const isGiven = [entry.given_pred].flat().some((given) => fields(given)?.abbr === base)
  const reader = readersOfSummarizers[named(fields(entry.summarizer)?.type)]
  const asked = {
    ...evaluator,
    ...(isGiven ? { against_column: baseColumn, base_model: base } : { against: base }),
    ...(evaluator!.dict_postprocessor === undefined && reader !== undefined ? { dict_postprocessor: { type: reader } } : {}),
  }
  return { ...entry, eval_cfg: { ...evaluation, evaluator: asked } }
}

function fields(value: unknown): ImportedEntry | undefined {
  return isDict(value) ? (value as ImportedEntry) : undefined
}

function named(type: unknown): string {
  return typeof type === 'string' ? type.slice(type.lastIndexOf('.') + 1) : ''
}
