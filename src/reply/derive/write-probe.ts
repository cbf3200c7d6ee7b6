import type { Chat } from '../../conversation/chat-message.ts'
import type { Format } from '../../format/format.ts'
import { promptText } from '../../format/prompt-text.ts'
import { chatMaker } from '../../prompt/compile-chat.ts'
import { PromptError } from '../../prompt-error.ts'
import { outsideMark, sameLength } from './marks.ts'
import { type Probe, probeTools, thoughtProbe, words } from './probes.ts'

/** A probe as the template writes it: the prompt before it, and what the model would have written. */
export type Written = { prompt: string; reply: string; complete: string }

/** How a template takes what is not the same everywhere. */
export type Habits = {
  /** The message's field for thoughts. */
  thoughtField: 'reasoning_content' | 'reasoning' | 'thinking'
  /** Ids of calls hold the tool's name: `functions.name:0`. */
  idsHoldNames: boolean
}

/** Writes probes in a format; undefined where the template does not take them. */
export class ProbeWriter {
  readonly #render: (chat: Chat, want: 'generate' | 'complete') => string | undefined
  readonly #written = new Map<string, Written | undefined>()
  readonly habits: Habits = { thoughtField: 'reasoning_content', idsHoldNames: false }

  constructor(format: Format) {
    const maker = chatMaker(format)
    this.#render = (chat, want) => {
      try {
        return promptText(maker.render(chat, { want }))
      } catch (error) {
        if (error instanceof PromptError) return undefined
        throw error
      }
    }
  }

  /** The prompt up to where the model speaks. */
  asked(hasTools = false): string | undefined {
    return this.#render(this.#chat([], hasTools), 'generate')
  }

  /** Some templates take calls only without tools, others nothing without them: what is natural is tried first. */
  write(probe: Probe): Written | undefined {
    const key = `${probe.name} ${this.habits.thoughtField} ${this.habits.idsHoldNames}`
    if (!this.#written.has(key)) this.#written.set(key, this.#writeAnyhow(probe))
    return this.#written.get(key)
  }

  #writeAnyhow(probe: Probe): Written | undefined {
    const isNatural = probe.calls.length > 0
    const written = this.#write(probe, isNatural)
    const isShown = written?.complete.includes(probe.calls[0]?.name ?? '') ?? false
    return isShown ? written : (this.#write(probe, !isNatural) ?? written)
  }

  #write(probe: Probe, hasTools: boolean): Written | undefined {
    const asked = this.asked(hasTools)
    const complete = this.#render(this.#chat([this.#message(probe)], hasTools), 'complete')
    if (asked === undefined || complete === undefined) return undefined
    // Templates may write what precedes the question in another way; behind it, white space may differ.
    const from = complete.indexOf(words.question) + words.question.length
    const same = sameLength(complete.slice(from), asked.slice(asked.indexOf(words.question) + words.question.length))
    const at = from + outsideMark(complete.slice(from), same)
    return { prompt: complete.slice(0, at), reply: complete.slice(at), complete }
  }

  /** The probe as an earlier turn, with what follows it. */
  history(probe: Probe): string | undefined {
    const more = [this.#message(probe), { role: 'user', content: 'qzNext' }]
    return this.#render(this.#chat(more, false), 'complete') ?? this.#render(this.#chat(more, true), 'complete')
  }

  /** Whether the thought of an earlier turn is still shown; undefined where it cannot be told. */
  earlierThought(): boolean | undefined {
    return this.history(thoughtProbe)?.includes(words.thought)
  }

  #chat(more: readonly object[], hasTools: boolean): Chat {
    return { messages: [{ role: 'user', content: words.question }, ...more], ...(hasTools ? { tools: probeTools } : {}) } as unknown as Chat
  }

  #message({ content, reasoning, calls }: Probe): object {
    return {
      role: 'assistant',
      content,
      ...(reasoning === undefined ? {} : { [this.habits.thoughtField]: reasoning }),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ name, arguments: given }, index) => ({
              id: this.callId(name, index),
              type: 'function',
              function: { name, arguments: given },
            })),
          }),
    }
  }

  /** Nine characters, as Mistral's templates ask for. */
  callId(name: string, index: number): string {
    return this.habits.idsHoldNames ? `functions.${name}:${index}` : `qzcallid${index}`
  }
}
