import type { Note, NoteCode } from '@rolecall/core/internal/errors'
import { className, fieldsOf, type ImportedEntry } from './imported-entry.ts'

/** The column that holds the answers of a base model, where a config gives them as a file. */
export const baseColumn = 'base_prediction'

/**
 * A dataset whose answers OpenCompass compares with those of a base model (`mode='m2n'`): the base model goes to the evaluator, and its
 * answers, if `given_pred` says where they are, become a column.
 */
export function withOpponent(entry: ImportedEntry, note: (note: Note) => void): ImportedEntry {
  const evaluation = fieldsOf(entry.eval_cfg)
  const evaluator = fieldsOf(evaluation.evaluator)
  const [base, ...others] = [entry.base_models].flat().map((model) => fieldsOf(model).abbr)
  if (entry.mode !== 'm2n' || typeof base !== 'string' || className(evaluator.type) !== 'LMEvaluator') return entry
  const where = typeof entry.abbr === 'string' ? entry.abbr : 'a dataset'
  const tell = (code: NoteCode, text: string) => note({ code, where, text })
  if (others.length > 0) tell('base-models', `answers are compared with those of ${base}, not with those of ${others.join(', ')}`)
  if (entry.infer_order === 'random')
    tell('both-orders', 'OpenCompass shows two answers in an order that it draws; here the judge sees both orders of each pair')
  const isGiven = [entry.given_pred].flat().some((given) => fieldsOf(given).abbr === base)
  const asked = {
    ...evaluator,
    ...(isGiven ? { against_column: baseColumn, base_model: base } : { against: base }),
  }
  return { ...entry, eval_cfg: { ...evaluation, evaluator: asked } }
}
