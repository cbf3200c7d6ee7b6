import type { LabState } from '../lab-state.ts'
import { keepTokenizer } from './column-questions.ts'
import type { FoundModel } from './read-files.ts'

/**
 * Adds a model as a new column, or in place of the last one if there is no room. A tokenizer alone belongs to the first column: its format
 * stays what it is.
 */
export function addModel(state: LabState, { name, settings, tokenizer }: FoundModel): Partial<LabState> {
  const [first] = state.columns
  if (settings === undefined || Object.keys(settings).length === 0) {
    if (tokenizer && first) keepTokenizer(first.model, tokenizer)
    // A new list makes the columns render again.
    return { columns: [...state.columns] }
  }
  const id = newOwnId(state)
  if (tokenizer) keepTokenizer(id, tokenizer)
  const columns = [...state.columns.slice(0, 3), { model: id }]
  return { own: [...state.own, { id, name, settings }], columns }
}

/** Drawn, so that a model never has the vocabulary of another that was dropped before it, or that a link brought. */
export function newOwnId({ own }: Pick<LabState, 'own'>): string {
  for (;;) {
    const id = `own-${Math.random().toString(36).slice(2, 10)}`
    if (!own.some((one) => one.id === id)) return id
  }
}
