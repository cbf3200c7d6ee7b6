import { PromptError } from '../../base/errors/prompt-error.ts'
import { type PyValue, stringifyJson } from '../../base/python/index.ts'
import type { Chat } from '../../prompt/conversation/chat-message.ts'
import { readChat } from '../../prompt/conversation/read-chat.ts'
import type { Format } from '../../prompt/format/format.ts'
import { promptText } from '../../prompt/format/prompt-text.ts'
import { callProbe, type Probe, probeTools, words } from './probes.ts'
import { outsideMark, sameLength } from './template-marks.ts'

/** A probe as the template writes it: the prompt before it, and what the model would have written. */
export type WrittenProbe = {
  prompt: string
  reply: string
  complete: string
  /** The prompt for generation, which may open more than the text before a message. */
  asked: string
}

/** How a template takes what is not the same everywhere. */
export type Habits = {
  /** The message's field for thoughts; `content`: before the words, separated by `thoughtClose`; `blocks`: a block of the content. */
  thoughtField: 'reasoning_content' | 'reasoning' | 'thinking' | 'content' | 'blocks'
  thoughtClose: string
  /** Ids of calls hold the tool's name: `functions.name:0`. */
  idsHoldNames: boolean
}

/** Some templates take calls only without tools, others nothing without them; some only as clients send them, arguments as text. */
type Way = { hasTools: boolean; asSent: boolean }
const callWays: readonly Way[] = [
  { hasTools: true, asSent: false },
  { hasTools: false, asSent: false },
  { hasTools: false, asSent: true },
  { hasTools: true, asSent: true },
]
const textWays: readonly Way[] = [
  { hasTools: false, asSent: false },
  { hasTools: true, asSent: false },
]

/** What a chat is rendered with besides its messages. */
export type ProbeSetting = { hasTools?: boolean; isAsked?: boolean; kwargs?: Readonly<Record<string, PyValue>> }

/** Renders probes in a format; undefined if the template does not take them. Each is rendered once. */
export class ProbeWriter {
  readonly #format: Format
  readonly #written = new Map<string, WrittenProbe | undefined>()
  readonly #asked = new Map<boolean, string | undefined>()
  /** The way that worked last is tried first. */
  #callWays = callWays
  /** What the template said when it refused messages last. */
  refusal: string | undefined
  /** The template changes lists in place, which sandboxes refuse: it is rendered without those statements. */
  leavesOutChanges = false
  readonly habits: Habits = { thoughtField: 'reasoning_content', thoughtClose: '', idsHoldNames: false }

  constructor(format: Format) {
    this.#format = format
  }

  /** Whether the template's source has a word. */
  mentions(word: string): boolean {
    return this.#format.template?.includes(word) === true
  }

  /** The prompt up to where the model speaks. */
  asked(hasTools = false): string | undefined {
    if (!this.#asked.has(hasTools)) this.#asked.set(hasTools, this.render([question], { hasTools, isAsked: true }))
    return this.#asked.get(hasTools)
  }

  /** What is natural is tried first. */
  write(probe: Probe): WrittenProbe | undefined {
    const key = `${probe.name} ${this.habits.thoughtField} ${this.habits.idsHoldNames}`
    if (!this.#written.has(key)) this.#written.set(key, this.#writeAnyhow(probe))
    return this.#written.get(key)
  }

  #writeAnyhow(probe: Probe): WrittenProbe | undefined {
    if (probe.calls.length === 0) return this.#write(probe, textWays[0]!) ?? this.#write(probe, textWays[1]!)
    let first: WrittenProbe | undefined
    for (const way of this.#callWays) {
      // Clients send either words or calls.
      if (way.asSent && probe.content !== '') continue
      const written = this.#write(probe, way)
      if (written?.complete.includes(probe.calls[0]!.name, written.prompt.length) === true) {
        if (way !== this.#callWays[0]) this.#callWays = [way, ...callWays.filter((one) => one !== way)]
        return written
      }
      first ??= written
    }
    return first
  }

  #write(probe: Probe, { hasTools, asSent }: Way): WrittenProbe | undefined {
    const asked = this.asked(hasTools)
    const complete = asked === undefined ? undefined : this.render([question, this.message(probe, asSent)], { hasTools })
    if (asked === undefined || complete === undefined) return undefined
    // Templates may render the text before the question differently; after it, white space may differ.
    const from = complete.indexOf(words.question) + words.question.length
    const [after, prompted] = [complete.slice(from), asked.slice(asked.indexOf(words.question) + words.question.length)]
    const same = sameLength(after, prompted)
    // A call that is the turn of another role: the model ends its own turn, as the user's ended, and opens the other one.
    const isOtherRole = probe.calls.length > 0 && namesModel(prompted, sameLength(prompted, after))
    const at = from + (isOtherRole ? 0 : outsideMark(after, same))
    return { prompt: complete.slice(0, at), reply: complete.slice(at), complete, asked }
  }

  /** The probe as an earlier turn, with what follows it. */
  history(probe: Probe): string | undefined {
    const messages = [question, this.message(probe), { role: 'user', content: 'qzNext' }]
    return this.render(messages) ?? this.render(messages, { hasTools: true })
  }

  /** What follows a call where its result comes next: some models end there by another mark. `tail` ends a turn that is the last. */
  afterCall(tail: string): string {
    const reply = this.write(callProbe)?.reply.trimEnd() ?? ''
    const call = (reply.endsWith(tail) ? reply.slice(0, reply.length - tail.length) : reply).trimEnd()
    const { name } = callProbe.calls[0]!
    const result = { role: 'tool', name, tool_call_id: this.callId(name, 0), content: 'qzResult' }
    const { hasTools, asSent } = this.#callWays[0]!
    const complete = this.render([question, this.message(callProbe, asSent), result], { hasTools }) ?? ''
    const at = call === '' ? -1 : complete.indexOf(call)
    const after = at < 0 ? '' : complete.slice(at + call.length)
    return after.slice(0, Math.max(0, after.indexOf('qzResult')))
  }

  /** What a template writes for messages; undefined where it does not take them. */
  render(messages: readonly PyValue[], { hasTools = false, isAsked = false, kwargs }: ProbeSetting = {}): string | undefined {
    try {
      const tools = hasTools ? probeTools : null
      const { leavesOutChanges } = this
      if (this.#format.writeMessages)
        return this.#format.writeMessages(messages, { tools, isAsked, leavesOutChanges, ...(kwargs ? { kwargs } : {}) })
      // Probes are messages in the making: fields that a template does not know are allowed here.
      const chat = { messages, ...(hasTools ? { tools: probeTools } : {}) } as Chat
      return promptText(this.#format.render(readChat(chat), { want: isAsked ? 'generate' : 'complete' }))
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      this.refusal = error.problem
      if (error.code !== 'template-unsafe' || this.leavesOutChanges) return undefined
      this.leavesOutChanges = true
      return this.render(messages, { hasTools, isAsked, ...(kwargs ? { kwargs } : {}) })
    }
  }

  /** A probe as a message; `asSent`: as clients send it, a content of null beside calls, and their arguments as text. */
  message({ content, reasoning, calls }: Probe, asSent = false): PyValue {
    const { thoughtField, thoughtClose } = this.habits
    const isInContent = thoughtField === 'content' && calls.length === 0
    const isBlock = thoughtField === 'blocks' && reasoning !== undefined
    const said = isBlock ? blocksOf(reasoning, content) : isInContent ? `${reasoning ?? ''}${thoughtClose}${content}` : content
    return {
      role: 'assistant',
      content: asSent && said === '' ? null : said,
      ...(reasoning === undefined || thoughtField === 'content' || isBlock ? {} : { [thoughtField]: reasoning }),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ name, arguments: given }, index) => ({
              id: this.callId(name, index),
              type: 'function',
              function: { name, arguments: asSent ? stringifyJson(given as PyValue, { ensureAscii: false }) : (given as PyValue) },
            })),
          }),
    }
  }

  /** Nine characters, as Mistral's templates ask for. */
  callId(name: string, index: number): string {
    return this.habits.idsHoldNames ? `functions.${name}:${index}` : `qzcallid${index}`
  }
}

/** Whether a text differs from another one, from `at` on, in the name of the model's role. */
function namesModel(text: string, at: number): boolean {
  const word = /\w*$/u.exec(text.slice(0, at))!.index
  const name = /^\s*(?:assistant|model|bot)\b/iu.exec(text.slice(word))?.[0] ?? ''
  return outsideMark(text, at) === at && word + name.length > at
}

/** Content as a list of blocks, as templates of Mistral's take thoughts. */
function blocksOf(thinking: string, text: string): PyValue {
  return [{ type: 'thinking', thinking }, ...(text === '' ? [] : [{ type: 'text', text }])]
}

const question = { role: 'user', content: words.question }
