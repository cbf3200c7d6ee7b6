import type { ChatMessage } from '@rolecall/core/internal/conversation'

// What the page asks the engine, and what it answers: plain data, since the engine runs in a worker that can be stopped.

/** Who wrote a stretch of text, as the lab colours it. */
export type Writer = 'format' | 'template' | 'field' | 'example' | 'tool' | 'answer'

export const writers: readonly Writer[] = ['format', 'template', 'field', 'example', 'tool', 'answer']

/** A model as a config describes its format, and where its tokenizer is. */
export type ModelSettings = Readonly<Record<string, unknown>>

/** Where the engine finds a tokenizer: a file of the site, or files that the reader gave. */
export type TokenizerSource =
  | { kind: 'url'; name: string; url: string }
  | { kind: 'huggingface'; name: string; tokenizer: string; config?: string | undefined }
  | { kind: 'sentencepiece'; name: string; bytes: Uint8Array }
  | { kind: 'gguf'; name: string; metadata: readonly (readonly [string, unknown])[] }
  | { kind: 'embedded'; name: string }

/** One column: a model, and how its template is asked. */
export type ColumnQuestion = {
  name: string
  settings: ModelSettings
  variables: Readonly<Record<string, unknown>>
  tokenizer?: TokenizerSource | undefined
}

export type Want = 'generate' | 'complete' | 'continue'

/** What is said, the same for all columns. */
export type Conversation = { messages: readonly ChatMessage[]; tools: readonly object[]; want: Want; date?: string | undefined }

/** A row of a dataset in a dataset's template, as configs write both. */
export type RowConversation = { dataset: string; row: string; mode: '' | 'gen' | 'ppl' }

export type Question =
  | { kind: 'prompts'; columns: readonly ColumnQuestion[]; said: Conversation }
  | { kind: 'rows'; columns: readonly ColumnQuestion[]; said: RowConversation }
  | { kind: 'lint'; source: string }
  | { kind: 'reply'; column: ColumnQuestion; said: Conversation; reply: string }
  | { kind: 'read'; text: string }
  | { kind: 'ask'; column: ColumnQuestion; said: Conversation }

/** A stretch of a prompt with one writer. */
export type Stretch = {
  text: string
  by: Writer
  /** The place in the request, the config or the format: `messages[0].content`. */
  path: string
  /** The message it comes from. */
  message?: number
  /** The code of the template that wrote it. */
  code?: readonly [start: number, end: number]
  /** Where it looks like control tokens but is sent as ordinary characters. */
  harmless?: readonly (readonly [start: number, end: number])[]
  /** Where column A has something else. */
  differs?: readonly (readonly [start: number, end: number])[]
  /** What a model is trained on: what it writes itself. */
  trained?: readonly (readonly [start: number, end: number])[]
  /** Its tokens, with an exact tokenizer. */
  tokens?: readonly TokenPart[]
  isMarker?: true
  /** Pictures, sounds: shown by their kind. */
  media?: string
}

/** The part of a token in a stretch. */
export type TokenPart = { start: number; end: number; id: number; opens: boolean }

/** The part of a prompt for one message; `start` and `generation` lie around the messages. */
export type Section = { key: 'start' | 'generation' | number; stretches: readonly Stretch[] }

/** A note in the words of the library, and what it is about in Chinese. */
export type ShownNote = {
  code: string
  severity: 'error' | 'warning' | 'info'
  text: string
  zh?: string | undefined
  where?: string | undefined
}

export type Problem = { where: string; problem: string; fix: string; code: string; at?: readonly [start: number, end: number] }

export type OriginSum = { characters: number; tokens: number }

/** What the format appends once the model has answered and the user speaks again. */
export type Next = { text: string } | { rewrites: string; at?: number }

export type DrawnPrompt = {
  kind: 'completion' | 'chat'
  /** The prompt as it is sent; of messages for a server, as text for display. */
  text: string
  sections: readonly Section[]
  counts: Readonly<Partial<Record<Writer, OriginSum>>>
  characters: number
  /** Exact with the model's tokenizer, else an estimate. */
  tokens: { count: number; isExact: boolean; by?: string }
  ids?: readonly number[]
  notes: readonly ShownNote[]
  stops: readonly string[]
  next?: Next
  /** The Jinja source, as the engine reads it. */
  template?: string
  /** Variables that the template reads. */
  variables: readonly string[]
  /** Of a prompt for labels: each label, and which of them this is. */
  labels?: readonly string[]
}

export type Drawn = { prompt: DrawnPrompt } | { problem: Problem }

export type LintFinding = {
  rule: string
  severity: 'error' | 'warning' | 'note'
  line?: number
  problem: string
  fix: string
  shown?: string
}

export type ReadReply = {
  syntax: string
  text: string
  reasoning: string
  calls: readonly { name: string; arguments: string; problem?: string }[]
  problems: readonly string[]
  /** What the next prompt appends after this reply and, for calls, their results. */
  next: string
}

/** A pasted request, recognised. */
export type ReadPaste = {
  as: 'openai' | 'anthropic' | 'responses' | 'transcript' | 'opencompass' | 'messages'
  messages?: readonly ChatMessage[]
  tools?: readonly object[]
  variables?: Readonly<Record<string, unknown>>
  dataset?: string
  model?: string
  row?: string
  problems: readonly string[]
}

/** The answer to each kind of question. */
export type Answers = {
  prompts: readonly Drawn[]
  rows: readonly Drawn[]
  lint: readonly LintFinding[]
  reply: ReadReply
  read: ReadPaste
  ask: { text: string; finish: string }
}
