import type { Constraint } from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import type { GenerateOptions } from '../language-model/language-model.ts'
import type { SamplingRow } from '../language-model/sampling-settings.ts'
import type { ApiAddress, OpenAISettings } from './openai-settings.ts'
import type { ServerHabits } from './server-habits.ts'
import type { ServerReplyPart } from './server-reply-part.ts'
import type { StopsToSend } from './stops-to-send.ts'

export type MessagesPrompt = Prompt & { kind: 'chat' }

/** What the fields of a request depend on, beside its prompt. */
export type RequestSettings = {
  options: GenerateOptions
  stops: StopsToSend
  stream: boolean
  habits: ServerHabits
  settings: OpenAISettings
}

/** Reads the replies of one API; whatever it remembers belongs to one reply. */
export type WireReader = {
  /** The JSON of a whole reply. */
  whole(json: string): ServerReplyPart
  /** The data of one event of a stream. */
  event(data: string): ServerReplyPart
}

/**
 * How the requests and replies of an HTTP API look. All else about a server is the same for every API: retries, limits, stops, secrets, the
 * collected reply.
 */
export type WireApi = ApiAddress & {
  /** For people: `Anthropic's Messages API`. */
  title: string
  headers(key: string | undefined): Readonly<Record<string, string>>
  /** It also completes text and scores it. */
  takesText: boolean
  path(kind: 'chat' | 'completions', model: string, stream: boolean): string
  /** The most stops that a server at an address takes; the others are applied here. */
  mostStops(baseUrl: string): number
  /** Whether it takes this stop. */
  takesStop?(text: string): boolean
  /** What it calls a sampling setting; undefined if it has none. */
  nameOf(row: SamplingRow): string | undefined
  /** Keys of a request whose objects are merged with those of extra_body, not replaced. */
  mergedKeys?: readonly string[]
  /** How the first request is written, before a server refuses something. */
  habits: ServerHabits
  /** The messages and tools of a chat as the first fields of a request, without braces. `body`: the messages in OpenAI's shape, if serialized. */
  chat(prompt: MessagesPrompt, settings: OpenAISettings, body?: string): { said: string; notes: readonly Note[] }
  /** The other fields. */
  fields(request: RequestSettings): Readonly<Record<string, unknown>>
  /** Notes on settings that it does not have. */
  ignored(options: GenerateOptions, settings: OpenAISettings): readonly Note[]
  /** Throws if it cannot enforce a constraint (`cannot-constrain`). */
  checkConstraint(constraint: Constraint, settings: OpenAISettings): void
  reader(): WireReader
}
