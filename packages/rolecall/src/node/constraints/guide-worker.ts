import { parentPort } from 'node:worker_threads'
import type { TokenTrie } from '@rolecall/core/internal/constrain'
import {
  type CompiledConstraint,
  compileWithin,
  type GuidedReply,
  OverBudget,
  TokenGuide,
  WorkBudget,
} from '@rolecall/core/internal/constrain'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ThreadPost, ThreadQuestion } from '../killable-thread.ts'
import type { GuideAnswer, GuideRequest } from './guide-messages.ts'

// The thread that compiles and follows constraints from requests; `GuideThread` terminates it when it takes too long.

const tries = new Map<number, TokenTrie>()
const constraints = new Map<number, { compiled: CompiledConstraint; guide?: TokenGuide }>()
const replies = new Map<number, GuidedReply>()

const post = (message: ThreadPost<GuideAnswer>) => parentPort!.postMessage(message)

parentPort!.on('message', ({ id, question }: ThreadQuestion<GuideRequest>) => post({ id, answer: answer(question) }))
post('ready')

function answer({ dropped, trie, constraint, steps, ask }: GuideRequest): GuideAnswer {
  for (const number of dropped.constraints) constraints.delete(number)
  for (const number of dropped.replies) replies.delete(number)
  if (trie.sent) tries.set(trie.number, trie.sent)
  try {
    const held = constraints.get(constraint.number) ?? { compiled: compileWithin(constraint.sent!, new WorkBudget(steps)) }
    constraints.set(constraint.number, held)
    switch (ask.kind) {
      case 'check':
        return { kind: 'checked' }
      case 'accepts':
        return { kind: 'accepts', isAccepted: held.compiled.accepts(ask.text) }
      case 'step': {
        held.guide ??= new TokenGuide(held.compiled, tries.get(trie.number)!, sharedMask)
        const reply = ask.from === 0 ? held.guide.begin() : replies.get(ask.reply)!
        replies.set(ask.reply, reply)
        const isAllowed = reply.push(ask.bytes)
        return { kind: 'state', isAllowed, state: reply.next() }
      }
      default:
        return ask satisfies never
    }
  } catch (error) {
    if (error instanceof OverBudget) return { kind: 'over-budget', message: error.message }
    if (!(error instanceof PromptError)) return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
    const { code, where, problem, fix } = error
    return { kind: 'prompt-error', code, where, problem, fix }
  }
}

/** Masks are not copied to the other thread. */
function sharedMask(size: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(size))
}
