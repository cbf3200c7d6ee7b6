import type { Constraint, TokenTrie } from '@rolecall/core/internal/constrain'
import { KillableThread, type Stopped, type ThreadTask } from '../killable-thread.ts'
import type { GuideAnswer, GuideRequest } from './guide-messages.ts'

/** A vocabulary and a constraint, with the numbers by which the thread knows them. */
export type Guided = { trie: { number: number; value: TokenTrie }; constraint: { number: number; value: Constraint } }

/** A reply as a list of accepted bytes: a new thread reads them again. */
export type GuidedBytes = { number: number; chunks: Uint8Array[]; length: number }

export type GuideAsk = { kind: 'check' } | { kind: 'accepts'; text: string } | { kind: 'step'; reply: GuidedBytes; bytes: Uint8Array }

export type GuideTask = Omit<ThreadTask, 'seconds'>

export type GuideThreadOptions = { steps: number; seconds: number; megabytes: number }

/** How many compiled constraints and replies a thread holds. */
const mostConstraints = 16
const mostReplies = 256

type Held = {
  tries: Set<number>
  constraints: Set<number>
  /** How many bytes of each reply the thread has read. */
  replies: Map<number, number>
  dropped: { constraints: number[]; replies: number[] }
}

/** A thread that compiles constraints and follows replies. If it has to be stopped, replies in progress continue in the next one. */
export class GuideThread {
  readonly #options: GuideThreadOptions
  readonly #thread: KillableThread<Held, GuideRequest, GuideAnswer>

  constructor(options: GuideThreadOptions) {
    this.#options = options
    this.#thread = new KillableThread({
      script: 'node/constraints/guide-worker',
      megabytes: options.megabytes,
      begin: () => ({ tries: new Set(), constraints: new Set(), replies: new Map(), dropped: { constraints: [], replies: [] } }),
    })
  }

  /** Whether the thread holds another constraint, which takes some of its memory. */
  holdsMoreThan(constraint: number): boolean {
    const held = this.#thread.held?.constraints
    return held !== undefined && held.size > (held.has(constraint) ? 1 : 0)
  }

  async ask(guided: Guided, ask: GuideAsk, task: GuideTask): Promise<GuideAnswer | Stopped> {
    const { steps, seconds } = this.#options
    const answer = await this.#thread.ask((held) => ({ steps, ...requestFor(held, guided, ask) }), { ...task, seconds })
    // It was not compiled, and has to be sent again.
    if (answer.kind === 'over-budget' || answer.kind === 'prompt-error' || answer.kind === 'failed')
      this.#thread.held?.constraints.delete(guided.constraint.number)
    return answer
  }

  stop(): Promise<void> {
    return this.#thread.stop()
  }
}

/** The request to a thread: without what it already has. */
function requestFor(held: Held, { trie, constraint }: Guided, ask: GuideAsk): Omit<GuideRequest, 'steps'> {
  const { tries, constraints, replies } = held
  const hasTrie = tries.has(trie.number)
  const hasConstraint = constraints.delete(constraint.number)
  tries.add(trie.number)
  constraints.add(constraint.number)
  const { dropped } = held
  held.dropped = { constraints: [], replies: [] }
  if (constraints.size > mostConstraints) dropped.constraints.push(takeFirst(constraints))
  return {
    dropped,
    trie: { number: trie.number, ...(hasTrie ? {} : { sent: trie.value }) },
    constraint: { number: constraint.number, ...(hasConstraint ? {} : { sent: constraint.value }) },
    ask: ask.kind === 'step' ? stepOf(ask.reply, ask.bytes, hasConstraint) : ask,
  }

  function stepOf(reply: GuidedBytes, bytes: Uint8Array, isHeld: boolean): GuideRequest['ask'] {
    const known = isHeld ? (replies.get(reply.number) ?? 0) : 0
    const isKnown = known > 0 && known === reply.length
    replies.delete(reply.number)
    replies.set(reply.number, reply.length + bytes.length)
    if (replies.size > mostReplies) {
      const [first] = replies.keys()
      replies.delete(first!)
      dropped.replies.push(first!)
    }
    const sent = isKnown ? bytes : new Uint8Array(Buffer.concat([...reply.chunks, bytes]))
    return { kind: 'step', reply: reply.number, from: isKnown ? known : 0, bytes: sent }
  }
}

function takeFirst(numbers: Set<number>): number {
  const [first] = numbers
  numbers.delete(first!)
  return first!
}
