/**
 * How a family of models writes its replies: which marks open and close reasoning, calls and code. It is data, read by one
 * parser; a new syntax is a new value of this type.
 */
export type ReplySyntax = {
  name: string
  /** Where the model's turn is over, e.g. `<|im_end|>`. What follows is not part of the reply. */
  ends: readonly string[]
  /** What stands last in a prompt before the reply's own text, e.g. `<|im_start|>`: what follows it was written for the model. */
  turns: readonly string[]
  /** Spans of reasoning. White space beside their marks belongs to the marks. */
  reasoning?: readonly Span[]
  /** Wrappers around calls that mean nothing themselves; white space between calls inside them means nothing either. */
  sections?: readonly Span[]
  blocks: readonly Block[]
  /** There are no marks: a reply that is nothing but calls of the given tools (`f(a=1)`, or a JSON list) is those calls. */
  callsWithoutMarks?: true
}

export type Span = { open: string; close: string }

/** A span that is a call or code. Its first character decides which: `{` and `[` start JSON where `json` is given. */
export type Block = {
  /** The tokens that open it, in a row. None: JSON without any mark, at the very start of a reply. */
  open: readonly string[]
  /** Without one, a block ends where its JSON does, and code ends with the turn. */
  close?: string
  json?: JsonBody
  named?: NamedBody
  code?: CodeBody
}

/** A JSON object that holds the tool's name and its arguments. */
export type JsonBody = {
  name: string
  /** Keys of the arguments; of several that are there the first in this list counts. */
  arguments: readonly string[]
  /** The key of the call's id. */
  id?: string
  /** Several objects in a list are several calls. */
  list?: true
  /** What may stand between objects that follow one another. */
  separator?: string
}

/** The tool's name as text, then its arguments as a JSON object: `name[ARGS]{…}`. */
export type NamedBody = {
  /** Stands between the name and the arguments. */
  separator: string
  /** Stands between the name and the call's id. */
  id?: string
  /** The name follows the separator, and the arguments are in a Markdown fence: `function<sep>name⏎ ```json⏎{…}⏎``` `. */
  fenced?: true
}

export type CodeBody = {
  /** `markdown`: the first fenced block is the code, and marks inside a fence are code. `none`: all of it is code. */
  fence: 'markdown' | 'none'
}

/** What a model was offered, so that its reply may use it. */
export type Offered = { functions: boolean; interpreter: boolean }

/** A syntax in which only what the model was offered is read: without tools, what looks like a call is text. */
export function offeredSyntax({ callsWithoutMarks, ...syntax }: ReplySyntax, { functions, interpreter }: Offered): ReplySyntax {
  const blocks = syntax.blocks.flatMap(({ code, ...calls }): Block[] => {
    const isCall = functions && (calls.json ?? calls.named) !== undefined
    const isCode = interpreter && code !== undefined
    if (!isCall && !isCode) return []
    const { open, close } = calls
    return [{ ...(isCall ? calls : { open, ...(close === undefined ? {} : { close }) }), ...(isCode ? { code } : {}) }]
  })
  return {
    ...syntax,
    blocks,
    sections: functions ? (syntax.sections ?? []) : [],
    ...(functions && callsWithoutMarks ? { callsWithoutMarks } : {}),
  }
}
