import type { ByteSink } from '@rolecall/core/internal/text'
import { splitsPair } from '@rolecall/core/internal/text'
import { type TaskMessage, textOfMessages } from './message.ts'

const encoder = new TextEncoder()

/** Messages that occur in the prompts of many documents: their text is joined and encoded once. */
export class SharedMessages {
  readonly messages: readonly TaskMessage[]
  readonly text: string
  /** Undefined if the text can only be encoded together with its neighbours. */
  readonly bytes: Uint8Array | undefined

  constructor(messages: readonly TaskMessage[]) {
    this.messages = messages
    this.text = textOfMessages(messages)
    this.bytes = splitsPair(this.text) ? undefined : encoder.encode(this.text)
  }
}

/** The messages of a document before the answer: those it shares with other documents, and its own. */
export class TaskPrompt {
  readonly #shared: readonly SharedMessages[]
  readonly #own: readonly TaskMessage[]
  #messages: readonly TaskMessage[] | undefined
  #ownText: string | undefined
  #text: string | undefined

  constructor(shared: readonly SharedMessages[], own: readonly TaskMessage[]) {
    this.#shared = shared
    this.#own = own
  }

  get messages(): readonly TaskMessage[] {
    this.#messages ??= [...this.#shared.flatMap(({ messages }) => messages), ...this.#own]
    return this.#messages
  }

  /** The messages as one text. */
  get text(): string {
    if (this.#text === undefined) {
      let text = ''
      for (const { text: written } of this.#shared) text += written
      this.#text = text + textOfMessages(this.#own)
    }
    return this.#text
  }

  /** Appends the UTF-8 of the text and of what follows it. */
  write(sink: ByteSink, behind: string): void {
    this.#ownText ??= textOfMessages(this.#own)
    const rest = this.#ownText + behind
    if (splitsPair(rest) || this.#shared.some(({ bytes }) => bytes === undefined)) sink.writeText(this.text + behind)
    else {
      for (const { bytes } of this.#shared) sink.writeBytes(bytes!)
      sink.writeText(rest)
    }
  }
}
