import type { LanguageModel, Reply, ScoredPrompt } from '../model/language-model.ts'
import type { Note } from '../note.ts'
import type { Fitted } from './begin-asking.ts'
import type { AskPlan, Prediction, Request } from './inferencer.ts'
import { asCompletion } from './perplexity.ts'
import { sentText } from './request-text.ts'

/** What came out for one row. */
export type Inferred = Prediction & {
  /** What was sent, prompt by prompt. */
  bodies: readonly string[]
  /** For generation. */
  finish?: Reply['finish']
  tokens: { prompt: number; reused: number; reply: number }
  examples: { used: number; dropped: number }
  notes: readonly Note[]
}

/** Asks a model all requests of a row, one after the other. An answer that was broken off ends it. */
export async function askModel(
  plan: AskPlan,
  { asking, first, examples, notes }: Fitted,
  model: LanguageModel,
  signal: AbortSignal | undefined,
  /** What the prompts of the first request are as text, where that is known. */
  firstBodies?: readonly string[],
): Promise<Inferred> {
  const told = new Account(notes)
  let request = first
  for (;;) {
    const bodies = request === first && firstBodies ? firstBodies : request.asked.map(({ prompt }) => sentText(prompt))
    const answer = await send(request, bodies, plan, model, signal)
    told.add(request, bodies, answer)
    if (told.finish === 'aborted') return told.inferred({ prediction: '' }, examples)
    const { value, done } = asking.next(answer)
    if (done) return told.inferred(value, examples)
    request = value
  }
}

type ModelAnswer = { kind: 'generate'; replies: Reply[] } | { kind: 'score'; scored: ScoredPrompt[] }

async function send(
  request: Request,
  bodies: readonly string[],
  { generation, where }: AskPlan,
  model: LanguageModel,
  signal: AbortSignal | undefined,
): Promise<ModelAnswer> {
  if (request.kind === 'score') {
    const prompts = request.asked.map(({ prompt }) => asCompletion(prompt, where))
    return { kind: 'score', scored: await model.score!(prompts, { needs: request.needs, signal }) }
  }
  const replies: Reply[] = []
  const seed = generation.sampling?.seed ?? 0
  for (const [index, { prompt }] of request.asked.entries()) {
    for (let sample = 0; sample < request.samples; sample++) {
      // Several answers have a seed of their own each.
      const sampling = request.samples === 1 ? generation.sampling : { ...generation.sampling, seed: seed + sample }
      const reply = await model.generate(prompt, { ...generation, sampling, signal, body: bodies[index]! })
      replies.push(reply)
      if (reply.finish === 'aborted') return { kind: 'generate', replies }
    }
  }
  return { kind: 'generate', replies }
}

/** What is to be told of a row's requests and answers. */
class Account {
  finish: Reply['finish'] | undefined
  readonly #bodies: string[] = []
  readonly #tokens = { prompt: 0, reused: 0, reply: 0 }
  readonly #notes: Note[]

  constructor(notes: readonly Note[]) {
    this.#notes = [...notes]
  }

  add({ asked }: Request, bodies: readonly string[], answer: ModelAnswer): void {
    this.#bodies.push(...bodies)
    for (const { prompt } of asked) this.#notes.push(...prompt.notes)
    if (answer.kind === 'generate') for (const reply of answer.replies) this.#addReply(reply)
    else for (const scored of answer.scored) this.#addScored(scored)
  }

  #addReply({ finish, tokens, notes }: Reply): void {
    if (this.finish === undefined || finish === 'aborted' || this.finish === 'stop') this.finish = finish
    this.#tokens.prompt += tokens.prompt
    this.#tokens.reused += tokens.reused
    this.#tokens.reply += tokens.reply
    this.#notes.push(...notes)
  }

  #addScored({ tokens, reused, notes }: ScoredPrompt): void {
    this.#tokens.prompt += tokens.length
    this.#tokens.reused += reused
    this.#notes.push(...notes)
  }

  inferred({ prediction, scores }: Prediction, examples: Inferred['examples']): Inferred {
    return { prediction, scores, bodies: this.#bodies, finish: this.finish, tokens: this.#tokens, examples, notes: this.#notes }
  }
}
