import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { asCompletion } from '../../../model/language-model/cannot-score.ts'
import { replySeed } from '../../../model/language-model/draw-seed.ts'
import type { LanguageModel, ModelReply, ScoredPrompt } from '../../../model/language-model/language-model.ts'
import type { Prediction, Request, RequestPlan } from './inferencer.ts'
import { type ParsedCalls, readCalls, toolCallNote } from './read-calls.ts'
import { composedText, hasTools } from './request-text.ts'
import type { FittedRow } from './start-row.ts'

/** The result of inference for one row. */
export type RowInference = Prediction & {
  /** The prompts as sent. */
  bodies: readonly string[]
  /** For generation. */
  finish?: ModelReply['finish']
  /** The reasoning that the server returned, per reply; undefined if it returned none. */
  reasoning?: readonly string[] | undefined
  /** The tool calls of each reply, if they are parsed. */
  calls?: readonly ParsedCalls[] | undefined
  tokens: ModelReply['tokens']
  examples: { used: number; dropped: number }
  notes: readonly Note[]
}

/** The code of the note on an answer that was given up because of its cost. */
export const rowCostCode = 'row-cost'

/** Why a row may send no further request after these tokens; undefined if it may. */
export type RowCostCheck = (tokens: ModelReply['tokens']) => string | undefined

export type OnTokens = (tokens: ModelReply['tokens']) => void

/** Sends all requests of a row, one after the other; an aborted reply ends it. */
export async function askModel(
  plan: RequestPlan,
  { question: { row }, asking, first, examples, notes }: FittedRow,
  model: LanguageModel,
  signal: AbortSignal | undefined,
  /** The prompts of the first request as text, if known. */
  firstBodies?: readonly string[],
  /** The row's seed, if answers are sampled. */
  draw?: number,
  costCheck?: RowCostCheck,
  /** Receives the tokens of each reply as it arrives: an error loses the replies, not their cost. */
  onTokens?: OnTokens,
): Promise<RowInference> {
  const account = new Account(notes)
  const calls: ParsedCalls[] | undefined = plan.readsCalls ? [] : undefined
  let request = first
  let replies = 0
  for (;;) {
    const bodies = firstBodies?.length === request.prompts.length && request === first ? firstBodies : request.prompts.map(composedText)
    const seeded = draw === undefined ? undefined : { seed: draw, from: replies }
    const tooMuch = costCheck && ((sent: readonly ModelReply[]) => costCheck(account.with(sent)))
    const answer = await send(request, bodies, plan, model, signal, seeded, tooMuch, onTokens)
    if (answer.kind === 'generate') replies += answer.replies.length
    account.add(request, bodies, answer)
    if (calls && answer.kind === 'generate') addCalls(calls, plan, row, request, answer.replies)
    else if (answer.kind === 'generate' && answer.replies.some((reply) => reply.calls?.length)) account.note([unscoredCall])
    if (account.finish === 'aborted') return account.inferred({ prediction: '' }, examples, calls)
    const unsent = answer.kind === 'generate' ? answer.tooMuch : undefined
    if (unsent !== undefined) return account.inferred(givenUp(unsent), examples, calls)
    const { value, done } = asking.next(answer)
    if (done) return account.inferred(value, examples, calls)
    const problem = costCheck?.(account.tokens)
    if (problem !== undefined) return account.inferred(givenUp(problem), examples, calls)
    request = value
  }
}

/** The prediction of a row that became too expensive. */
function givenUp(text: string): Prediction {
  return { prediction: '', notes: [{ code: rowCostCode, text }] }
}

/** A call where no tools are offered and none is scored. */
const unscoredCall: Note = { code: toolCallNote, text: 'the reply is a tool call, and tool calls are not scored here' }

/** Each prompt has as many replies as there are samples. */
function addCalls(calls: ParsedCalls[], plan: RequestPlan, row: Row, { prompts: asked }: Request, replies: readonly ModelReply[]): void {
  const samples = replies.length / asked.length
  for (const [index, reply] of replies.entries()) {
    calls.push(readCalls(plan, { row, prompt: asked[Math.floor(index / samples)]?.prompt }, reply))
  }
}

/** The seed of a row, and how many replies have been sampled with it. */
type Draw = { seed: number; from: number }

/** `tooMuch`: why the rest of the request was not sent. */
type ModelAnswer = { kind: 'generate'; replies: ModelReply[]; tooMuch?: string } | { kind: 'score'; scored: ScoredPrompt[] }

async function send(
  request: Request,
  bodies: readonly string[],
  { generation, constraint, where }: RequestPlan,
  model: LanguageModel,
  signal: AbortSignal | undefined,
  draw: Draw | undefined,
  tooMuch: ((sent: readonly ModelReply[]) => string | undefined) | undefined,
  onTokens: OnTokens | undefined,
): Promise<ModelAnswer> {
  if (request.kind === 'score') {
    const prompts = request.prompts.map(({ prompt }) => asCompletion(prompt, where))
    const scored = await model.score!(prompts, { needs: request.needs, signal })
    for (const { tokens, reused } of onTokens ? scored : []) onTokens?.({ prompt: tokens.length, reused, reply: 0 })
    return { kind: 'score', scored }
  }
  const { maxTokens, minTokens, stopTexts, sampling, forwarded } = generation
  const { prompts: asked, samples } = request
  const replies: ModelReply[] = []
  // Servers get a seed only if one was chosen or several answers need one: some refuse it.
  const drawn = draw && (sampling?.seed !== undefined || samples > 1 || model.drawsHere) ? draw : undefined
  const ask = (index: number, number: number): Promise<ModelReply> => {
    const seeded = drawn ? { ...sampling, seed: replySeed(drawn.seed, drawn.from + number) } : sampling
    // Field by field: this is a hot path.
    const options = {
      maxTokens,
      minTokens,
      stopTexts,
      sampling: seeded,
      constraint,
      forwarded,
      signal,
      body: hasTools(asked[index]!.prompt) ? undefined : bodies[index],
    }
    return model.generate(asked[index]!.prompt, options)
  }
  if (model.collects && !tooMuch) {
    // One after the other, each would wait for a batch.
    const all = await Promise.all(Array.from({ length: asked.length * samples }, (_, number) => ask(Math.floor(number / samples), number)))
    for (const { tokens } of all) onTokens?.(tokens)
    return { kind: 'generate', replies: all }
  }
  for (let index = 0; index < asked.length; index++) {
    for (let sample = 0; sample < samples; sample++) {
      const problem = replies.length > 0 ? tooMuch?.(replies) : undefined
      if (problem !== undefined) return { kind: 'generate', replies, tooMuch: problem }
      const reply = await ask(index, replies.length)
      replies.push(reply)
      onTokens?.(reply.tokens)
      if (reply.finish === 'aborted') return { kind: 'generate', replies }
    }
  }
  return { kind: 'generate', replies }
}

/** Accumulates tokens, notes and reasoning over the requests of a row. */
class Account {
  finish: ModelReply['finish'] | undefined
  readonly bodies: string[] = []
  readonly tokens: ModelReply['tokens'] = { prompt: 0, reused: 0, reply: 0 }
  notes: readonly Note[]
  /** Per reply, from the first that has reasoning. */
  #reasoning: string[] | undefined
  #replies = 0

  constructor(notes: readonly Note[]) {
    this.notes = notes
  }

  add({ prompts: asked }: Request, bodies: readonly string[], answer: ModelAnswer): void {
    for (const body of bodies) this.bodies.push(body)
    for (const { prompt } of asked) this.note(prompt.notes)
    if (answer.kind === 'generate') for (const reply of answer.replies) this.#addReply(reply)
    else for (const scored of answer.scored) this.#addScored(scored)
  }

  /** The tokens so far, and those of some more replies. */
  with(replies: readonly ModelReply[]): ModelReply['tokens'] {
    const sum = { ...this.tokens }
    for (const { tokens } of replies) {
      sum.prompt += tokens.prompt
      sum.reused += tokens.reused
      sum.reply += tokens.reply
    }
    return sum
  }

  #addReply({ finish, tokens, notes, reasoning }: ModelReply): void {
    if (reasoning !== undefined && reasoning !== '') this.#reasoning ??= Array.from({ length: this.#replies }, () => '')
    this.#reasoning?.push(reasoning ?? '')
    this.#replies++
    if (this.finish === undefined || finish === 'aborted' || this.finish === 'stop') this.finish = finish
    this.tokens.prompt += tokens.prompt
    this.tokens.reused += tokens.reused
    this.tokens.reply += tokens.reply
    if (tokens.unreported) this.tokens.unreported = (this.tokens.unreported ?? 0) + tokens.unreported
    this.note(notes)
  }

  #addScored({ tokens, reused, notes }: ScoredPrompt): void {
    this.tokens.prompt += tokens.length
    this.tokens.reused += reused
    this.note(notes)
  }

  /** Most rows have no notes: nothing is allocated for them. */
  note(notes: readonly Note[]): void {
    if (notes.length > 0) this.notes = this.notes.length === 0 ? notes : [...this.notes, ...notes]
  }

  inferred(
    { prediction, scores, notes: more }: Prediction,
    examples: RowInference['examples'],
    calls?: readonly ParsedCalls[],
  ): RowInference {
    if (more) this.note(more)
    const { bodies, finish, tokens, notes } = this
    return { prediction, scores, bodies, finish, reasoning: this.#reasoning, calls, tokens, examples, notes }
  }
}
