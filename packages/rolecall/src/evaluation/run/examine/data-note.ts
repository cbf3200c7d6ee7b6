import type { Note } from '@rolecall/core/internal/errors'
import { type PyValue, pyRepr } from '@rolecall/core/internal/python'

/** A note about the rows of a dataset, and how many of them it concerns. */
export type DataNote = Note & { rows: number }

/** A value as Python writes it, shortened. */
export function quote(value: PyValue): string {
  const shown = pyRepr(value)
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
}
