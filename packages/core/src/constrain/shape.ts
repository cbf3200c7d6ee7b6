import type { Automaton } from './text/automaton.ts'
import type { WorkBudget } from './work-budget.ts'

/** A position in a reply where a value is written, and the values allowed there. Recursive schemas make cycles of slots. */
export type Slot = {
  id: number
  shapes: Shape[]
  /** Whether a complete value can be written here. Slots without one are never entered. */
  isPossible: boolean
}

/** One kind of value. */
export type Shape =
  /** Whatever another slot allows. */
  | { kind: 'same'; slot: Slot }
  /** A text, a number, a literal: anything an automaton can describe. */
  | { kind: 'text'; automaton: Automaton }
  /** A JSON string of a number of arbitrary characters. */
  | StringShape
  | ArrayShape
  | ObjectShape
  /** Consecutive slots with nothing between them. */
  | SequenceShape

export type StringShape = { kind: 'string'; least: number; most: number }

export type ArrayShape = {
  kind: 'array'
  /** The first items, each with a separate slot. */
  first: readonly Slot[]
  /** All items after them; undefined if none are allowed. */
  rest: Slot | undefined
  least: number
  most: number
}

export type ObjectShape = {
  kind: 'object'
  /** In the order in which they are written. */
  properties: readonly Property[]
  /** Properties of other names, by what their names match; written last. */
  others: readonly OtherProperties[]
  least: number
  most: number
}

export type OtherProperties = { key: Automaton; slot: Slot }

/** `key`: the name as it is written. */
export type Property = { name: string; key: Automaton; slot: Slot; isRequired: boolean }

export type SequenceShape = { kind: 'sequence'; slots: readonly Slot[] }

/**
 * Determines which slots have finite values: a list that must contain a list like itself has none. The last slots come first, because they
 * are parts of earlier ones.
 */
export function markPossible(slots: readonly Slot[], budget: WorkBudget): void {
  const reversed = [...slots].reverse()
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const slot of reversed) {
      budget.charge(1)
      if (slot.isPossible || !slot.shapes.some(isPossible)) continue
      slot.isPossible = true
      hasChanged = true
    }
  }
}

/** Whether a value of this kind can be completed, as far as its parts are known. */
export function isPossible(shape: Shape): boolean {
  switch (shape.kind) {
    case 'same':
      return shape.slot.isPossible
    case 'text':
      return !shape.automaton.isEmpty
    case 'string':
      return shape.least <= shape.most
    case 'array':
      return isPossibleArray(shape)
    case 'object':
      return isPossibleObject(shape)
    case 'sequence':
      return shape.slots.every((slot) => slot.isPossible)
    default:
      return shape satisfies never
  }
}

function isPossibleArray({ first, rest, least, most }: ArrayShape): boolean {
  if (least > most) return false
  if (least > first.length && !rest?.isPossible) return false
  return first.slice(0, least).every((slot) => slot.isPossible)
}

function isPossibleObject({ properties, others, least, most }: ObjectShape): boolean {
  const required = properties.filter(({ isRequired }) => isRequired)
  const possible = properties.filter(({ slot }) => slot.isPossible).length
  const atMost = others.some(({ slot }) => slot.isPossible) ? Number.POSITIVE_INFINITY : possible
  return required.every(({ slot }) => slot.isPossible) && required.length <= most && least <= Math.min(most, atMost)
}
