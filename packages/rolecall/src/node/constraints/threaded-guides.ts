import { createHash } from 'node:crypto'
import { type Constraint, constraintKey, type GuideState, type TokenTrie, tokenTrie } from '@rolecall/core/internal/constrain'
import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { GuidedText, Guides } from '../../model/language-model/constrained.ts'
import type { Stopped } from '../killable-thread.ts'
import type { GuideAnswer } from './guide-messages.ts'
import { type GuideAsk, type Guided, type GuidedBytes, type GuideTask, GuideThread } from './guide-thread.ts'

/** What most schemas take, which is a few milliseconds; others go to a second thread and do not delay these. */
const quickSteps = 20_000

const megabytes = 512

/** How many constraints are remembered: which thread they need, or why they are refused. */
const mostRemembered = 256

/** For how long a constraint stays refused that took too long: on a machine with less to do it may not. */
const refusedMilliseconds = 60_000

type Remembered = { number: number; value: Constraint; isSlow: boolean; refusal?: { error: PromptError; until: number } }

/** The threads that follow constraints from requests, for all models of a server. */
export class ConstraintThreads {
  readonly #quick: GuideThread
  readonly #slow: GuideThread
  readonly #seconds: number
  readonly #remembered = new Map<string, Remembered>()
  #numbers = 0

  constructor(seconds: number) {
    this.#seconds = seconds
    this.#quick = new GuideThread({ steps: quickSteps, seconds, megabytes })
    this.#slow = new GuideThread({ steps: limits.constraintSteps, seconds, megabytes })
  }

  /** Guides for a model, whose vocabulary is prepared at once. Without a tokenizer they only check. */
  guidesFor(tokenizer: Tokenizer | undefined): (client: string) => Guides {
    const trie = { number: this.#numbers++, value: tokenizer ? sharedTrie(tokenTrie(tokenizer)) : emptyTrie }
    return (client) => {
      const ask = (constraint: Constraint, what: GuideAsk, signal?: AbortSignal) => this.#ask(constraint, trie, what, { client, signal })
      return {
        check: async (constraint, signal) => void (await ask(constraint, { kind: 'check' }, signal)),
        async accepts(constraint, text, signal) {
          const answer = await ask(constraint, { kind: 'accepts', text }, signal)
          return answer.kind === 'accepts' && answer.isAccepted
        },
        begin: async (constraint, signal) => {
          const text = this.#textOf((what) => ask(constraint, what, signal))
          // Compiles it.
          await text.push(new Uint8Array())
          return text
        },
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#quick.stop(), this.#slow.stop()])
  }

  #textOf(ask: (what: GuideAsk) => Promise<GuideAnswer>): GuidedText {
    const reply: GuidedBytes = { number: this.#numbers++, chunks: [], length: 0 }
    let state: GuideState
    return {
      next: () => state,
      async push(bytes) {
        const answer = await ask({ kind: 'step', reply, bytes })
        if (answer.kind !== 'state') throw new Error(`the thread of constraints answered ${answer.kind}`)
        state = answer.state
        if (!answer.isAllowed) return false
        reply.chunks.push(bytes)
        reply.length += bytes.length
        return true
      },
    }
  }

  async #ask(constraint: Constraint, trie: Guided['trie'], what: GuideAsk, task: GuideTask): Promise<GuideAnswer> {
    const known = this.#rememberedOf(constraint)
    const guided = { trie, constraint: known }
    if (known.refusal && performance.now() < known.refusal.until) throw known.refusal.error
    let answer = known.isSlow ? await askAlone(this.#slow, guided, what, task) : await askAlone(this.#quick, guided, what, task)
    if (answer.kind === 'over-budget' && !known.isSlow) {
      known.isSlow = true
      answer = await askAlone(this.#slow, guided, what, task)
    }
    task.signal?.throwIfAborted()
    switch (answer.kind) {
      case 'over-budget':
        throw refuse(known, tooMuch(known, answer.message))
      case 'stopped':
        throw answer.reason === 'time'
          ? refuse(known, tooMuch(known, `it takes longer than ${this.#seconds} s`), performance.now() + refusedMilliseconds)
          : refuse(known, tooMuch(known, `it takes more than ${megabytes} MB of memory`))
      case 'prompt-error':
        throw refuse(known, new PromptError(answer.code, answer))
      case 'failed':
        throw new Error(answer.message)
      default:
        return answer
    }
  }

  #rememberedOf(constraint: Constraint): Remembered {
    const key = createHash('sha256').update(constraintKey(constraint)).digest('base64')
    const found = this.#remembered.get(key) ?? { number: this.#numbers++, value: constraint, isSlow: false }
    this.#remembered.delete(key)
    this.#remembered.set(key, found)
    if (this.#remembered.size > mostRemembered) this.#remembered.delete(this.#remembered.keys().next().value!)
    return found
  }
}

/** Asks again if the memory ran out that other constraints share: what is refused then would always be refused. */
async function askAlone(thread: GuideThread, guided: Guided, what: GuideAsk, task: GuideTask): Promise<GuideAnswer | Stopped> {
  const isShared = thread.holdsMoreThan(guided.constraint.number)
  const answer = await thread.ask(guided, what, task)
  return isShared && answer.kind === 'stopped' && answer.reason === 'memory' ? thread.ask(guided, what, task) : answer
}

function refuse(known: Remembered, error: PromptError, until = Number.POSITIVE_INFINITY): PromptError {
  known.refusal = { error, until }
  return error
}

function tooMuch({ value }: Remembered, reason: string): PromptError {
  return new PromptError('cannot-constrain', {
    where: placeOf(value) ?? 'schema',
    problem: `this cannot be enforced: ${reason}`,
    fix: 'ask for less at once: fewer alternatives inside allOf, and simpler patterns',
  })
}

/** Where the user wrote a constraint, or the first part of it that has a place. */
function placeOf(constraint: Constraint): string | undefined {
  const parts = 'parts' in constraint ? constraint.parts : constraint.kind === 'repeat' ? [constraint.first, constraint.next] : undefined
  if (parts === undefined) return 'where' in constraint ? constraint.where : undefined
  for (const part of parts) {
    const place = placeOf(part)
    if (place !== undefined) return place
  }
  return undefined
}

const emptyTrie: TokenTrie = {
  size: 0,
  bytes: new Uint8Array(),
  depths: new Uint16Array(),
  ends: new Int32Array(),
  firsts: new Int32Array(1),
  ids: new Int32Array(),
  deepest: 0,
}

/** A tree in memory that threads share. */
function sharedTrie(trie: TokenTrie): TokenTrie {
  const shared = <Numbers extends Uint8Array | Uint16Array | Int32Array>(numbers: Numbers): Numbers => {
    const memory = new SharedArrayBuffer(numbers.byteLength)
    new Uint8Array(memory).set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
    return new (numbers.constructor as new (memory: SharedArrayBuffer) => Numbers)(memory)
  }
  const { size, deepest, bytes, depths, ends, firsts, ids } = trie
  return { size, deepest, bytes: shared(bytes), depths: shared(depths), ends: shared(ends), firsts: shared(firsts), ids: shared(ids) }
}
