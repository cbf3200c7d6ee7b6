import type { Slot } from '../shape.ts'
import { type Stack, Stacks } from './machine-frame.ts'
import { enter, goOnBlank, step } from './step.ts'

/** A position in a reply: every way to parse what was read so far. */
export type MachineState = {
  readonly id: number
  readonly stacks: readonly Stack[]
  /** White space before the value. */
  readonly blank: number | undefined
  /** The reply may end here. */
  readonly isComplete: boolean
  /** The reply must end here: nothing can follow. */
  readonly isOver: boolean
  /** The state after each byte, as far as it was computed; null if the byte is not allowed. */
  readonly next: (MachineState | null | undefined)[]
}

/** Reads replies byte by byte and knows at every position which bytes may come next. Every accepted position can be completed. */
export class Machine {
  readonly #stacks = new Stacks()
  readonly #states = new Map<string, MachineState>()
  readonly start: MachineState
  readonly #root: Slot
  /** White space may precede values, but not texts. */
  readonly #isPadded: boolean

  constructor(root: Slot, { isPadded }: { isPadded: boolean }) {
    this.#root = root
    this.#isPadded = isPadded
    this.start = this.#entry(0)
  }

  /** How many states and stacks are cached. */
  get size(): number {
    return this.#states.size + this.#stacks.size
  }

  /** The state after one more byte; undefined if the byte is not allowed. */
  next(state: MachineState, byte: number): MachineState | undefined {
    const known = state.next[byte]
    if (known !== undefined) return known ?? undefined
    const found = this.#step(state, byte)
    state.next[byte] = found ?? null
    return found
  }

  /** A state that is equivalent for the next characters: limits farther away do not matter. */
  nearby(state: MachineState, characters: number): MachineState {
    const far = characters + 1
    const isFar = (count: number) => count > far && count !== Number.POSITIVE_INFINITY
    if (!state.stacks.some(({ frame }) => frame.kind === 'string' && (isFar(frame.least) || isFar(frame.most)))) return state
    const nearer = state.stacks.map((stack) => {
      const { frame, below } = stack
      if (frame.kind !== 'string') return stack
      const most = isFar(frame.most) ? far : frame.most
      return this.#stacks.push({ ...frame, least: Math.min(frame.least, far), most }, below!)
    })
    return this.#stateOf(nearer, state.blank)!
  }

  #entry(blank: number): MachineState {
    const stacks: Stack[] = []
    enter(this.#stacks, this.#root, this.#stacks.end, (stack) => stacks.push(stack))
    return this.#stateOf(stacks, this.#isPadded ? blank : undefined)!
  }

  #step(state: MachineState, byte: number): MachineState | undefined {
    const blank = state.blank === undefined ? undefined : goOnBlank(state.blank, byte)
    if (blank !== undefined) return this.#entry(blank)
    const stacks: Stack[] = []
    for (const stack of state.stacks) step(this.#stacks, stack, byte, (one) => stacks.push(one))
    return this.#stateOf(stacks, undefined)
  }

  #stateOf(found: readonly Stack[], blank: number | undefined): MachineState | undefined {
    if (found.length === 0) return undefined
    const stacks = [...new Set(found)].sort((one, other) => one.id - other.id)
    const key = `${blank ?? ''}|${stacks.map(({ id }) => id).join()}`
    const known = this.#states.get(key)
    if (known) return known
    const isComplete = stacks.includes(this.#stacks.end)
    const made: MachineState = { id: this.#states.size, stacks, blank, isComplete, isOver: isComplete && stacks.length === 1, next: [] }
    this.#states.set(key, made)
    return made
  }
}
