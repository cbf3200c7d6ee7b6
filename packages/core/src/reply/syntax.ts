import type { Reply, ReplyEvent } from './reply.ts'

/**
 * How a family of models writes its replies: which marks open and close reasoning, calls and code. It is data, read by one
 * parser; a new syntax is a new value of this type.
 */
export type ReplySyntax = {
  name: string
  /** Where the model's turn is over, e.g. `<|im_end|>`. What follows is not part of the reply. */
  ends: readonly string[]
  /** The last mark of a prompt before the reply, e.g. `<|im_start|>`: what follows it was written for the model. */
  turns: readonly string[]
  /** Spans of reasoning. White space beside their marks belongs to the marks. */
  reasoning?: readonly ReasoningSpan[]
  /** Wrappers around calls that mean nothing themselves; white space between calls inside them means nothing either. */
  sections?: readonly MarkPair[]
  /** Marks around the text that mean nothing to a reader, e.g. `<|START_RESPONSE|>`. */
  ignored?: readonly string[]
  /** Marks that open the heading of a message, which ends with the next mark and says nothing to a reader. */
  headings?: readonly string[]
  /** The reply is a sequence of messages, each with a head that names its recipient. */
  messages?: MessageHeads
  blocks: readonly Block[]
  /** There are no marks: a reply that is nothing but calls of the given tools (`f(a=1)`, or a JSON list) is those calls. */
  callsWithoutMarks?: true
  /** Reads replies in place of the parser of syntaxes: a model's own response template (`responseSyntax`). The rest says how calls are forced and stopped. */
  reader?: ReplyMachineMaker
}

/** Reads one reply, piece by piece. */
export type ReplyMachine = { push(text: string): ReplyEvent[]; end(): ReplyEvent[]; readonly reply: Reply }

/** `readsCalls`: whether tools were offered; without them, what looks like a call is text. */
export type ReplyMachineMaker = (options: { prompt?: string; tools?: readonly unknown[]; readsCalls?: boolean }) => ReplyMachine

/** The marks around something in a reply. */
export type MarkPair = { open: string; close: string }

/** `endsAtCalls`: the model may make a call without closing its thought; a call's mark ends it. */
export type ReasoningSpan = MarkPair & { endsAtCalls?: true }

/** Messages inside a reply: `<|channel|>analysis<|message|>…<|end|><|start|>assistant to=functions.f<|channel|>commentary<|message|>{…}<|call|>`. */
export type MessageHeads = {
  /** Opens the next message; the role follows. */
  start: string
  /** Precedes a message's channel. */
  channel?: string
  /** Ends the head. */
  body: string
  /** What ends a message. */
  ends: readonly string[]
  /** Precedes the recipient: `to=`. Without it the head is the recipient. */
  recipient?: string
  /** What the recipient's name begins with if it is a tool: `functions.`. */
  prefix?: string
  /** Channels and recipients of thoughts. */
  thoughts: readonly string[]
  /** Recipients of text. All others are tools. */
  readers: readonly string[]
  /** The content of a message to a tool: its arguments as JSON, or calls as in `blocks`, which count nowhere else. */
  calls: 'json' | 'blocks'
}

/** A span that is a call or code. Its first character decides which: `{` and `[` start JSON where `json` is given. */
export type Block = {
  /** The tokens that open it, in a row. None: a call without any mark, at the very start of a reply. */
  open: readonly string[]
  /** Without one, a block ends where its JSON does, and code ends with the turn. */
  close?: string
  /** What opens it also occurs in plain text, as a Markdown fence does: what turns out to be no call is text. */
  tentative?: true
  json?: JsonBody
  named?: NamedBody
  tagged?: TaggedBody
  quoted?: QuotedBody
  python?: PythonBody
  code?: CodeBody
}

/** A JSON object that holds the tool's name and its arguments. */
export type JsonBody = {
  /** The key of the name; null: the only key is the name, and its value the arguments. */
  name: string | null
  /** Keys of the arguments; of several that are there the first in this list counts. */
  arguments: readonly string[]
  /** The key of the call's id. */
  id?: string
  /** The key of an object that holds name and arguments: `{"type": "function", "function": {…}}`. The events of such a call come when it is complete. */
  inside?: string
  /** The arguments are a string that contains JSON. Their event comes when the call is complete. */
  asText?: true
  /** Several objects in a list are several calls. */
  list?: true
  /** Several objects may follow one another, without a list. */
  several?: true
  /** What may separate consecutive objects if nothing closes a block. */
  separator?: string
  /** The block's mark is the first character of the JSON itself, so that it may follow words: only calls of given tools count. */
  opened?: true
}

/** The tool's name as text, then its arguments as a JSON object: `name[ARGS]{…}`. */
export type NamedBody = {
  /** Separates the name from the arguments. */
  separator: string
  /** Separates the name from the call's id. */
  id?: string
  /** Precedes the name; the text before it is the call's id. */
  nameAfter?: string
  /** The name follows the separator, and the arguments are in a Markdown fence: `function<sep>name⏎ ```json⏎{…}⏎``` `. */
  fenced?: true
  /** The name is part of an id: `functions.name:0`. */
  indexed?: true
}

/** The tool's name, then each argument between separate marks: `<function=name><parameter=key>value</parameter></function>`. */
export type TaggedBody = {
  /** Precedes the name and is not part of the mark that opens the block. */
  prefix?: string
  /** Precedes the name; the text before it is the call's id: `<invoke id="…" name="…">`. */
  nameAfter?: string
  /** Ends the name; without it, the name ends where an argument begins or the block ends. */
  nameEnd?: string
  /** Where what may follow the name (attributes) ends. */
  headEnd?: string
  /** A name may have a namespace, `weather.get_weather`, that the tool was not given with. */
  namespaced?: true
  /** Absent: each argument is an element named after it, and its value may consist of such elements. */
  parameter?: TaggedParameter
  /** What an element's opening and closing tag begin with; each ends with `>`. */
  elements?: MarkPair
}

export type TaggedParameter = {
  /** Precedes the key. */
  open: string
  /** Ends the key. */
  keyEnd: string
  /** Precedes the value; between the key's end and this mark are attributes. */
  valueOpen?: string
  close: string
  /** The attribute with the value's type: `string="true"`, or `type="number"`. */
  typeAttribute?: string
  /** Encloses each value and is not part of it. */
  padding?: string
  /** Values are JSON, texts included. */
  json?: true
  /** Some texts are in a CDATA section, `<![CDATA[…]]>`, inside which marks are text. */
  cdata?: true
}

/** `call:name{key:<|"|>text<|"|>,other:1}`: keys without quotes, texts enclosed in a mark. */
export type QuotedBody = { prefix: string; quote: string }

/** Python's calls: `[name(key=value), …]`, or one a line. `opened`: the block's mark opens the list, and only given tools count. */
export type PythonBody = {
  list: boolean | 'opened'
  /** Every value is written as a string: its type is in the tool's schema. */
  texts?: true
}

/** What is code between the marks of a call to an interpreter. */
export type CodeBody = {
  /** `markdown`: the first fenced block is the code, and marks inside a fence are code. `none`: all of it is code. */
  fence: 'markdown' | 'none'
}

/** What a model was offered, so that its reply may use it. */
export type Offered = { functions: boolean; interpreter: boolean }

/** Every single mark of a syntax, as a tokenizer may have them. */
export function marksOf({ ends, blocks, reasoning = [], sections = [], ignored = [], headings = [], messages }: ReplySyntax): string[] {
  const spans = [...reasoning, ...sections].flatMap(({ open, close }) => [open, close])
  const heads = messages
    ? [messages.start, messages.body, ...messages.ends, ...(messages.channel === undefined ? [] : [messages.channel])]
    : []
  return [...ends, ...spans, ...ignored, ...headings, ...heads, ...blocks.flatMap(marksOfBlock)]
}

function marksOfBlock({ open, close, tagged, quoted }: Block): string[] {
  const { parameter, elements, nameAfter, nameEnd, headEnd } = tagged ?? {}
  const inner = [
    nameAfter,
    nameEnd,
    headEnd,
    parameter?.open,
    parameter?.keyEnd,
    parameter?.valueOpen,
    parameter?.close,
    elements?.open,
    elements?.close,
  ]
  return [...open, ...[close, quoted?.quote, ...inner].filter((mark) => mark !== undefined)]
}

/** Whether a block holds calls, whatever else it may hold. */
export function holdsCalls({ json, named, tagged, quoted, python }: Block): boolean {
  return (json ?? named ?? tagged ?? quoted ?? python) !== undefined
}

/** Whether calls of tools can be distinguished from text. */
export function hasCalls({ blocks, messages, reader }: ReplySyntax): boolean {
  return blocks.some(holdsCalls) || messages?.calls === 'json' || reader !== undefined
}

/** A syntax in which only what the model was offered is read: without tools, what looks like a call is text. */
export function offeredSyntax({ callsWithoutMarks, reader, ...syntax }: ReplySyntax, { functions, interpreter }: Offered): ReplySyntax {
  const blocks = syntax.blocks.flatMap(({ code, ...calls }): Block[] => {
    const isCall = functions && holdsCalls(calls)
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
    ...(reader ? { reader: functions ? reader : (options) => reader({ ...options, readsCalls: false }) } : {}),
  }
}
