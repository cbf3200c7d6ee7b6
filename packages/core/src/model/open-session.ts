import { check } from '../base/errors/check.ts'
import type { Note } from '../base/errors/note.ts'
import { PromptError } from '../base/errors/prompt-error.ts'
import type { PyValue } from '../base/python/index.ts'
import * as z from '../base/schema/schema.ts'
import { isText, type Piece } from '../base/text/index.ts'
import { continueChat } from '../masks/continue-chat.ts'
import type { Departure } from '../masks/departures.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import type { Prompt } from '../prompt/format/format.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import { copiedMessage } from './copied-message.ts'
import { checkModel, type Model } from './model.ts'
import { parseReply } from './parse-reply.ts'
import type { ParsedReply } from './plain-reply.ts'
import { type ModelPrompt, modelPrompt, type RenderPromptOptions, renderPrompt } from './render-prompt.ts'
import { checkSampled, type SampledReply } from './sampled-reply.ts'
import { SeenIds, type SeenRow } from './seen-ids.ts'
import { freshCallIds, sessionMessage, withCallIds } from './session-message.ts'

/** How a session is written. */
export type OpenSessionOptions = Pick<RenderPromptOptions, 'tools' | 'variables' | 'clock'> & {
  /**
   * What happens if the format writes earlier turns differently as the chat goes on (drops reasoning, moves tools). `as-seen` (the default): the
   * model goes on with what it has seen, and `departures` says what the format would change; `fork`: the prompt is rendered anew, and a new row
   * begins; `refuse`: an error.
   */
  rewrites?: 'as-seen' | 'fork' | 'refuse'
}

const sessionOptionsSchema = z.strictObject({
  tools: z.nullish(z.custom<readonly object[]>(Array.isArray, 'expected a list of tools')),
  variables: z.optional(z.record(z.string(), z.unknown())),
  clock: z.optional(z.custom<Date>((value) => value instanceof Date, 'expected a Date')),
  rewrites: z.optional(z.enum(['as-seen', 'fork', 'refuse'])),
} satisfies { readonly [Key in keyof Required<OpenSessionOptions>]: z.FieldSchemas[string] })

/** The next prompt of a session. */
export type SessionPrompt = {
  /** All ids: those sent and sampled before, then the appended ones. */
  readonly ids: readonly number[]
  /** The ids behind those sent and sampled before; all ids of a first prompt and of a fork. */
  readonly appended: readonly number[]
  /** Where generation ends, as texts and as ids. */
  readonly stop: ModelPrompt['stop']
  /** Where the format would now write the past differently from what the model has seen. */
  readonly departures: readonly Departure[]
  /** Set if earlier ids could not be kept: why the prompt was rendered anew. */
  readonly fork?: string | undefined
  /** What was changed, left out or guessed; of a continued chat, what concerns the messages behind the reply. */
  readonly notes: readonly Note[]
}

/** A reply as it was read, and as a message of the chat. Its calls have ids that results can name. */
export type SessionReply = ParsedReply & { readonly message: ChatMessage }

/** A running chat that keeps every id that was sent and sampled. */
export type ModelSession = {
  /** The chat so far. */
  readonly messages: readonly ChatMessage[]
  /**
   * Adds messages and returns what to send: the ids of the session, and what the format writes behind them. A prompt that got no reply is
   * replaced: the next one goes on from the last reply with all messages since. Without messages, it is returned again.
   */
  prompt(...messages: readonly ChatMessage[]): SessionPrompt
  /** Adds the sampled reply to the last prompt, with the id that ended it, if any. */
  reply(ids: readonly number[], options?: SampledReply): SessionReply
  /** What the model has really seen, for training: one row for each fork that has a sampled reply. */
  rows(): readonly SeenRow[]
}

/**
 * Opens a chat in which nothing that was sent or sampled is rendered or encoded again: each prompt begins with the ids of the one before and
 * of its reply, for any chat template. Training sees the ids that were sampled, and a prefix cache stays valid.
 *
 * @example
 * const letters = { type: 'BPE', vocab: { a: 0, b: 1, c: 2 }, merges: [] }
 * const tokenizer = readTokenizer({ version: '1.0', model: letters, added_tokens: [], normalizer: null, pre_tokenizer: null, decoder: null, post_processor: null })
 * const model = defineModel({ chatTemplate: '{% for m in messages %}{{ m.content }}c{% endfor %}', tokenizer })
 * const session = openSession(model)
 * session.prompt({ role: 'user', content: 'a' }).ids // => [0, 2]
 * session.reply([1, 2]).text // => 'bc'
 * session.prompt({ role: 'user', content: 'aa' }).ids // => [0, 2, 1, 2, 0, 0, 2]
 * session.rows().map(({ mask }) => mask.join('')) // => ['0011']
 */
export function openSession(model: Model, options: OpenSessionOptions = {}): ModelSession {
  checkModel(model, 'openSession › model')
  check(sessionOptionsSchema, options, 'openSession › options › ')
  return new RunningSession(model, tokenizerOf(model), options)
}

type Asked = { messages: readonly ChatMessage[]; ids: readonly number[]; prompt: Prompt }
type Answered = Asked & { replyIds: readonly number[]; reply: ChatMessage }
/** A prompt, and what was returned for it. */
type Sent = { asked: Asked; shown: SessionPrompt }

class RunningSession implements ModelSession {
  readonly #model: Model
  readonly #tokenizer: Tokenizer
  readonly #options: OpenSessionOptions
  /** A date in the prompt stays what it was when the chat began. */
  readonly #clock: Date
  readonly #seen = new SeenIds()
  #messages: readonly ChatMessage[] = []
  /** The prompt that waits for its reply. */
  #sent: Sent | undefined
  /** The last reply: prompts go on from it until the next one. */
  #answered: Answered | undefined

  constructor(model: Model, tokenizer: Tokenizer, options: OpenSessionOptions) {
    this.#model = model
    this.#tokenizer = tokenizer
    this.#options = options
    this.#clock = options.clock ?? new Date()
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages.map(copiedMessage)
  }

  prompt(...given: readonly ChatMessage[]): SessionPrompt {
    if (this.#sent !== undefined && given.length === 0) return copiedPrompt(this.#sent.shown)
    const chat = [...this.#messages, ...given.map(copiedMessage)]
    this.#sent = this.#answered === undefined ? this.#rendered(chat) : this.#continued(this.#answered, chat)
    this.#messages = chat
    return copiedPrompt(this.#sent.shown)
  }

  reply(given: readonly number[], options: SampledReply = {}): SessionReply {
    if (this.#sent === undefined) throw misplacedReply(this.#answered !== undefined)
    checkSampled(given, options, this.#tokenizer)
    const { asked } = this.#sent
    const ids = [...given]
    const parsed = parseReply(this.#model, ids, { prompt: modelPrompt(this.#model, asked.prompt), tools: this.#options.tools })
    const named = options.message === undefined ? withCallIds(parsed, freshCallIds(this.#messages, parsed)) : parsed
    const written = copiedMessage(options.message ?? sessionMessage(named))
    this.#seen.sampled(ids, options.logprobs)
    this.#answered = { ...asked, replyIds: ids, reply: written }
    this.#sent = undefined
    this.#messages = [...this.#messages, written]
    return { ...named, message: copiedMessage(written) }
  }

  rows(): readonly SeenRow[] {
    return this.#seen.rows()
  }

  /** The next prompt behind the last reply. */
  #continued(answered: Answered, chat: readonly ChatMessage[]): Sent {
    const { messages, ids, replyIds, reply } = answered
    const { tools, variables, rewrites = 'as-seen' } = this.#options
    const { format } = this.#model
    const running = {
      messages,
      tools: (tools ?? undefined) as readonly PyValue[] | undefined,
      variables: variables as Readonly<Record<string, PyValue>> | undefined,
      clock: this.#clock,
      promptIds: ids,
      replyIds,
    }
    const next = chat.slice(messages.length + 1)
    const continued = continueChat(running, reply, next, { format, tokenizer: this.#tokenizer, rewrites: 'as-seen' })
    const why = continued.isAppended ? describeDepartures(continued.departures ?? []) : continued.why
    const isKept = continued.isAppended && (rewrites === 'as-seen' || why === undefined)
    if (!isKept && rewrites === 'refuse') throw refused(why ?? '')
    if (!continued.isAppended || !isKept) return this.#rendered(chat, why)
    const all = [...ids, ...replyIds, ...continued.appended]
    this.#seen.unanswered()
    this.#seen.appended(continued.appended)
    const asked = { messages: chat, ids: all, prompt: { ...answered.prompt, kind: 'completion', pieces: continued.pieces } as Prompt }
    const { stop } = modelPrompt(this.#model, asked.prompt)
    const { departures = [], notes = [] } = continued
    return { asked, shown: { ids: all, appended: continued.appended, stop, departures, notes } }
  }

  #rendered(chat: readonly ChatMessage[], fork?: string): Sent {
    const { tools, variables } = this.#options
    const prompt = renderPrompt(this.#model, chat, { tools, variables, clock: this.#clock })
    const ids = prompt.ids()
    this.#seen.unanswered()
    this.#seen.rendered(ids)
    const notes = [...prompt.notes, ...prompt.tokens().notes]
    return {
      asked: { messages: chat, ids, prompt: withoutIds(prompt.rendered) },
      shown: { ids, appended: ids, stop: prompt.stop, departures: [], fork, notes },
    }
  }
}

/** Ids of its own: what the program appends to them does not reach the session. */
function copiedPrompt(prompt: SessionPrompt): SessionPrompt {
  return { ...prompt, ids: [...prompt.ids], appended: [...prompt.appended] }
}

function describeDepartures(departures: readonly Departure[]): string | undefined {
  const [first] = departures
  if (first === undefined) return undefined
  const what = first.path === undefined ? "the format's own text" : first.path
  if (first.kind === 'other-end') return `${what} ended on ${first.seen}, where the format writes ${first.now || 'nothing'}`
  return `the format would write earlier text differently: ${what} is ${first.kind === 'format-text' ? 'changed' : first.kind}`
}

/** The opening of a reply is read from what the format wrote, ids have none. */
function withoutIds(prompt: Prompt): Prompt {
  return prompt.kind === 'chat' ? prompt : { ...prompt, pieces: prompt.pieces.filter((piece): piece is Piece => isText(piece)) }
}

function tokenizerOf({ name, tokenizer }: Model): Tokenizer {
  if (tokenizer !== undefined) return tokenizer
  throw new PromptError('no-tokenizer', {
    where: `openSession › ${name}`,
    problem: 'a session keeps token ids, and the model has no tokenizer',
    fix: 'give one: defineModel({ …, tokenizer: readTokenizer(json) })',
  })
}

function misplacedReply(isSecond: boolean): PromptError {
  return new PromptError('wrong-order', {
    where: 'session.reply',
    problem: isSecond ? 'the last prompt has a reply already' : 'there is no prompt that this could answer',
    fix: 'call session.prompt first, and give one reply for each prompt',
  })
}

function refused(why: string): PromptError {
  return new PromptError('rewritten', {
    where: 'session.prompt',
    problem: why,
    fix: "open the session with rewrites: 'as-seen' to keep what the model has seen, or with 'fork' to render it anew",
  })
}
