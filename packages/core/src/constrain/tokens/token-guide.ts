import type { CompiledConstraint } from '../compile-constraint.ts'
import type { Machine, MachineState } from '../machine/machine.ts'
import type { TokenTrie } from './token-trie.ts'

/** Which tokens may come next: 1 if allowed, by id. */
export type TokenMask = { readonly allowed: Uint8Array /** How many. */; readonly count: number }

/** Cache limit of one constraint: states take memory. */
const mostStates = 200_000

/** A mask takes a byte per token of the vocabulary: few are cached for a large one. */
const mostMaskBytes = 64 * 1024 * 1024

/** Determines which tokens of a vocabulary keep a reply within a constraint. One instance serves all replies, also concurrently. */
export class TokenGuide {
  readonly #compiled: CompiledConstraint
  readonly #trie: TokenTrie
  readonly #newMask: (size: number) => Uint8Array
  #machine: Machine
  #masks = new Map<MachineState, TokenMask>()

  /** `newMask` allocates masks, e.g. in memory that threads share. */
  constructor(compiled: CompiledConstraint, trie: TokenTrie, newMask: (size: number) => Uint8Array = (size) => new Uint8Array(size)) {
    this.#compiled = compiled
    this.#trie = trie
    this.#newMask = newMask
    this.#machine = compiled.machine()
  }

  /** Begins a reply. */
  begin(): GuidedReply {
    if (this.#machine.size > mostStates) {
      this.#machine = this.#compiled.machine()
      this.#masks = new Map()
    }
    return new GuidedReply(this.#machine, (state, machine) => this.#maskOf(state, machine))
  }

  #maskOf(state: MachineState, machine: Machine): TokenMask {
    const near = machine.nearby(state, this.#trie.deepest)
    let mask = this.#masks.get(near)
    if (!mask) {
      mask = maskOf(near, machine, this.#trie, this.#newMask(this.#trie.size))
      if ((this.#masks.size + 1) * this.#trie.size > mostMaskBytes) this.#masks.clear()
      this.#masks.set(near, mask)
    }
    return mask
  }
}

/** What may come next in a reply. */
export type GuideState = {
  /** The allowed tokens; undefined if nothing can follow. */
  mask: TokenMask | undefined
  /** Whether the reply may end here. */
  isComplete: boolean
}

/** A reply in progress under a constraint. */
export class GuidedReply {
  readonly #machine: Machine
  readonly #maskOf: (state: MachineState, machine: Machine) => TokenMask
  #state: MachineState

  constructor(machine: Machine, mask: (state: MachineState, machine: Machine) => TokenMask) {
    this.#machine = machine
    this.#maskOf = mask
    this.#state = machine.start
  }

  /** The tokens that may come next. */
  get mask(): TokenMask {
    return this.#maskOf(this.#state, this.#machine)
  }

  /** Whether the reply may end here. */
  get isComplete(): boolean {
    return this.#state.isComplete
  }

  /** Whether nothing can follow. */
  get isOver(): boolean {
    return this.#state.isOver
  }

  next(): GuideState {
    const { isComplete, isOver } = this.#state
    return { mask: isOver ? undefined : this.mask, isComplete }
  }

  /** Appends the bytes of a token; false if they are not allowed. */
  push(bytes: Uint8Array): boolean {
    let state: MachineState | undefined = this.#state
    for (const byte of bytes) {
      state = this.#machine.next(state, byte)
      if (!state) return false
    }
    this.#state = state
    return true
  }
}

function maskOf(
  state: MachineState,
  machine: Machine,
  { bytes, depths, ends, firsts, ids, deepest }: TokenTrie,
  allowed: Uint8Array,
): TokenMask {
  /** The state after each byte of the current node. */
  const states: MachineState[] = new Array(deepest + 1)
  states[0] = state
  let count = 0
  for (let node = 0; node < bytes.length; ) {
    const depth = depths[node]!
    const next = machine.next(states[depth - 1]!, bytes[node]!)
    if (!next) {
      node = ends[node]!
      continue
    }
    states[depth] = next
    for (let index = firsts[node]!; index < firsts[node + 1]!; index++) {
      allowed[ids[index]!] = 1
      count++
    }
    node++
  }
  return { allowed, count }
}
