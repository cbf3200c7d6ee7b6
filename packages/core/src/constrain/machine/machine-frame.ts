import type { ArrayShape, ObjectShape, SequenceShape } from '../shape.ts'
import type { Automaton } from '../text/automaton.ts'
import { type StateSet, StateSets } from '../text/state-set.ts'
import type { HalfCharacter } from './half-character.ts'

/** A position in a value. Unfinished values are below it on the stack. */
export type MachineFrame = TextFrame | StringFrame | ArrayFrame | ObjectFrame | SequenceFrame | { kind: 'end' }

/** `half`: a partially read character. */
export type TextFrame = { kind: 'text'; sets: StateSets; set: StateSet; half?: HalfCharacter }

/** `state`: 0 between two characters, otherwise inside one; `open` before the quote. */
export type StringFrame = { kind: 'string'; phase: 'open' | 'inside'; state: number; least: number; most: number }

/** `blank`: the white space just read. */
export type ArrayFrame = {
  kind: 'array'
  shape: ArrayShape
  phase: 'open' | 'first' | 'item' | 'next'
  /** How many items have begun. */
  count: number
  blank: number
}

export type ObjectFrame = {
  kind: 'object'
  shape: ObjectShape
  phase: 'open' | 'first' | 'key' | 'colon' | 'value' | 'next'
  /** How many properties have begun. */
  count: number
  /** The first named property that may come next. */
  from: number
  /** The property whose value comes next; negative for one that the schema does not name: -1 for the first of `others`. */
  property: number
  blank: number
}

/** `next`: the slot after the one above. */
export type SequenceFrame = { kind: 'sequence'; shape: SequenceShape; next: number }

/** A frame and those below it. Equal stacks are the same object. */
export type Stack = { readonly id: number; readonly frame: MachineFrame; readonly below: Stack | undefined }

/** Creates frames and stacks and interns them, so that they can be compared by id. */
export class Stacks {
  readonly #stacks = new Map<string, Stack>()
  readonly #owners = new Map<object, number>()
  readonly #sets = new Map<Automaton, StateSets>()
  readonly end: Stack = { id: 0, frame: { kind: 'end' }, below: undefined }

  get size(): number {
    let size = this.#stacks.size
    for (const sets of this.#sets.values()) size += sets.size
    return size
  }

  /** Reads an automaton; its cache lives as long as the stacks do. */
  setsOf(automaton: Automaton): StateSets {
    const found = this.#sets.get(automaton) ?? new StateSets(automaton)
    this.#sets.set(automaton, found)
    return found
  }

  push(frame: MachineFrame, below: Stack): Stack {
    const key = `${below.id}|${this.#keyOf(frame)}`
    const known = this.#stacks.get(key)
    if (known) return known
    const made = { id: this.#stacks.size + 1, frame, below }
    this.#stacks.set(key, made)
    return made
  }

  #keyOf(frame: MachineFrame): string {
    switch (frame.kind) {
      case 'text': {
        const { set, half } = frame
        return `t${this.#idOf(set)}${half ? `,${half.code},${half.left},${half.size},${half.spelt}` : ''}`
      }
      case 'string':
        return `s${frame.phase},${frame.state},${frame.least},${frame.most}`
      case 'array':
        return `a${this.#idOf(frame.shape)},${frame.phase},${frame.count},${frame.blank}`
      case 'object':
        return `o${this.#idOf(frame.shape)},${frame.phase},${frame.count},${frame.from},${frame.property},${frame.blank}`
      case 'sequence':
        return `q${this.#idOf(frame.shape)},${frame.next}`
      case 'end':
        return 'e'
      default:
        return frame satisfies never
    }
  }

  #idOf(owner: object): number {
    const known = this.#owners.get(owner)
    if (known !== undefined) return known
    this.#owners.set(owner, this.#owners.size)
    return this.#owners.size - 1
  }
}
