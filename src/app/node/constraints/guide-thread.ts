import { Worker } from 'node:worker_threads'
import type { Constraint } from '../../../model/constrain/index.ts'
import type { TokenTrie } from '../../../model/constrain/tokens/token-trie.ts'
import { FairQueue } from '../fair-queue.ts'
import { importScript } from '../thread-script.ts'
import type { GuideAnswer, GuidePost, GuideRequest } from './guide-messages.ts'

/** A vocabulary and a constraint, with the numbers by which the thread knows them. */
export type Guided = { trie: { number: number; value: TokenTrie }; constraint: { number: number; value: Constraint } }

/** A reply as a list of accepted bytes: a new thread reads them again. */
export type GuidedBytes = { number: number; chunks: Uint8Array[]; length: number }

export type GuideAsk = { kind: 'check' } | { kind: 'accepts'; text: string } | { kind: 'step'; reply: GuidedBytes; bytes: Uint8Array }

export type GuideTask = { client: string; signal?: AbortSignal | undefined }

/** The thread ended before it answered: in time or memory the question was too large for it. */
export type Stopped = { kind: 'stopped'; reason: 'time' | 'memory' }

export type GuideThreadOptions = { steps: number; seconds: number; megabytes: number }

/** How many compiled constraints and replies a thread holds. */
const mostConstraints = 16
const mostReplies = 256

/** How long an abandoned question may go on: restarting the thread takes about as long. */
const patience = 100

type Running = {
  worker: Worker
  ready: Promise<void>
  tries: Set<number>
  constraints: Set<number>
  /** How many bytes of each reply the thread has read. */
  replies: Map<number, number>
  dropped: { constraints: number[]; replies: number[] }
}

/**
 * A worker thread with separate memory that compiles constraints and follows replies. One question at a time; clients take turns. A
 * question that takes too long, or whose client has gone, ends the thread; replies in progress continue in the next one.
 */
export class GuideThread {
  readonly #options: GuideThreadOptions
  readonly #queue = new FairQueue(1)
  #running: Running | undefined
  #ids = 0

  constructor(options: GuideThreadOptions) {
    this.#options = options
  }

  ask(guided: Guided, ask: GuideAsk, { client, signal }: GuideTask): Promise<GuideAnswer | Stopped> {
    return this.#queue.run(() => this.#ask(guided, ask, signal), signal, client)
  }

  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.worker.terminate()
  }

  async #ask(guided: Guided, ask: GuideAsk, signal: AbortSignal | undefined): Promise<GuideAnswer | Stopped> {
    this.#running ??= startThread(this.#options.megabytes, (ended) => {
      if (this.#running === ended) this.#running = undefined
    })
    const running = this.#running
    // Start-up does not count against the time limit.
    await running.ready
    signal?.throwIfAborted()
    const id = this.#ids++
    const { worker } = running
    return new Promise((resolve, reject) => {
      const started = performance.now()
      const settle = (work: () => void) => {
        clearTimeout(timer)
        worker.off('message', receive)
        worker.off('error', fail)
        signal?.removeEventListener('abort', leave)
        work()
      }
      const stop = (reason: Stopped['reason']) =>
        settle(() => {
          void this.stop()
          resolve({ kind: 'stopped', reason })
        })
      const receive = (post: GuidePost) => {
        if (post === 'ready' || post.id !== id) return
        const { kind } = post.answer
        // It was not compiled, and has to be sent again.
        if (kind === 'over-budget' || kind === 'prompt-error' || kind === 'failed') running.constraints.delete(guided.constraint.number)
        settle(() => resolve(post.answer))
      }
      const fail = (error: Error & { code?: string }) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? stop('memory') : settle(() => void this.stop().then(() => reject(error)))
      // The client has gone: short work is finished, so that clients that come and go do not restart the thread.
      const leave = () => {
        clearTimeout(timer)
        timer = setTimeout(() => stop('time'), Math.max(0, patience - (performance.now() - started)))
      }
      let timer = setTimeout(() => stop('time'), this.#options.seconds * 1000)
      worker.on('message', receive)
      worker.on('error', fail)
      signal?.addEventListener('abort', leave, { once: true })
      worker.postMessage({ id, steps: this.#options.steps, ...messageOf(running, guided, ask) } satisfies GuideRequest)
    })
  }
}

/** The message for a thread: without what it already has. */
function messageOf(running: Running, { trie, constraint }: Guided, ask: GuideAsk): Omit<GuideRequest, 'id' | 'steps'> {
  const { tries, constraints, replies } = running
  const hasTrie = tries.has(trie.number)
  const hasConstraint = constraints.delete(constraint.number)
  tries.add(trie.number)
  constraints.add(constraint.number)
  const { dropped } = running
  running.dropped = { constraints: [], replies: [] }
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

function startThread(megabytes: number, onEnd: (running: Running) => void): Running {
  const worker = new Worker(
    `${importScript('app/node/constraints/guide-worker')}.catch((error) => { setImmediate(() => { throw error }) })`,
    {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Do not inherit flags of this process, such as a test loader.
      execArgv: [],
      env: {},
    },
  )
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
  })
  worker.on('error', () => undefined)
  ready.catch(() => undefined)
  worker.unref()
  const running: Running = {
    worker,
    ready,
    tries: new Set(),
    constraints: new Set(),
    replies: new Map(),
    dropped: { constraints: [], replies: [] },
  }
  worker.once('exit', () => onEnd(running))
  return running
}
