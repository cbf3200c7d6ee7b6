import type { Constraint, GuideState, TokenTrie } from '@rolecall/core/internal/constrain'

/** A request to the thread that follows constraints. What the thread already has is sent as a number only. */
export type GuideRequest = {
  /** Constraints and replies that are no longer needed. */
  dropped: { constraints: readonly number[]; replies: readonly number[] }
  trie: { number: number; sent?: TokenTrie }
  constraint: { number: number; sent?: Constraint }
  /** Steps that compiling may take. */
  steps: number
  ask:
    | { kind: 'check' }
    | { kind: 'accepts'; text: string }
    /** Appends bytes to a reply, `from`: how many it had before; 0 begins it again. */
    | { kind: 'step'; reply: number; from: number; bytes: Uint8Array }
}

/** The thread's answer. Errors are sent by their fields, because structured cloning loses the class. */
export type GuideAnswer =
  | { kind: 'checked' }
  | { kind: 'accepts'; isAccepted: boolean }
  | { kind: 'state'; isAllowed: boolean; state: GuideState }
  | { kind: 'over-budget'; message: string }
  | { kind: 'prompt-error'; code: string; where: string; problem: string; fix: string }
  | { kind: 'failed'; message: string }
