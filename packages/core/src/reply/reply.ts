import type { PyValue } from '../base/python/index.ts'
import type { ArgumentProblem } from '../constrain/check-arguments.ts'

/** A range of the reply's text, in UTF-16 units. */
export type TextRange = readonly [start: number, end: number]

/** Why a call cannot be used. */
export type CallError =
  /** It does not follow the syntax, e.g. it is not a JSON object. */
  | 'malformed'
  /** It ends before its JSON does. */
  | 'truncated'
  /** It does not say which tool. */
  | 'no-name'
  /** There is text between its JSON and its closing mark. */
  | 'trailing-text'

/** A tool call, a block of code, or what was meant to be a call: a model's mistake is data. */
export type ReplyCall = UsableCall | CodeBlock | MalformedCall

/** A call that can be made: its name and its arguments. */
export type UsableCall = {
  kind: 'call'
  name: string
  /** Exact: `1.0` stays a float, large integers stay whole. `{}` where the model gave none. */
  arguments: PyValue
  /** The arguments as the model wrote them. */
  argumentsText: string
  /** The id the model gave the call, where its syntax has one. */
  id?: string
  /** What the tool's schema says about the arguments; only where tools were given, and only if something is wrong. */
  problems?: readonly ArgumentProblem[]
  /** The closing mark is missing: the reply was cut there, or generation stops on it. */
  unterminated?: true
  at: TextRange
}

/** Code in a reply that the model wants to run. */
export type CodeBlock = {
  kind: 'code'
  code: string
  /** What the fence says: `python`. */
  language?: string
  /** The text between the marks, from its first character that is not white space. */
  raw: string
  unterminated?: true
  at: TextRange
}

/** A call that cannot be made: what was written, and what is wrong with it. */
export type MalformedCall = {
  kind: 'malformed'
  error: CallError
  /** What was written, from its first character that is not white space. */
  raw: string
  /** For people: what is wrong, and where in `raw`. */
  problem: string
  /** The tool's name, where it was still readable. */
  name?: string
  unterminated?: true
  at: TextRange
}

/** One part of a reply, and where it is in the text. */
export type ReplyPart =
  | { kind: 'text'; text: string; at: TextRange }
  /** `unterminated`: the reply ended while the model was still thinking. */
  | { kind: 'reasoning'; text: string; unterminated?: true; at: TextRange }
  | ReplyCall

/** What is wrong with a reply, and where. */
export type ReplyProblem = { problem: string; at: TextRange }

/** A reply that has been read: text, reasoning, calls and code, and what is wrong with it. */
export type Reply = {
  /** What the model says, without calls, code, reasoning and marks. */
  text: string
  reasoning: string
  calls: readonly ReplyCall[]
  /** Everything in the order in which it was written. */
  parts: readonly ReplyPart[]
  problems: readonly ReplyProblem[]
  /** What was generated after the turn had ended. */
  rest: string
}

/** What has become certain while a reply is streamed. `index` counts the calls of a reply, code and malformed ones included. */
export type ReplyEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call-name'; index: number; name: string; id?: string }
  /** The next chunk of the arguments as written; never before the name. */
  | { type: 'arguments'; index: number; text: string }
  | { type: 'code'; index: number; text: string }
  /** The arguments or code sent so far for this call do not count: a preferred key followed, or a fence never closed. */
  | { type: 'reset'; index: number }
  /** Until it comes, arguments are provisional: the call may turn out to be malformed. */
  | { type: 'call-end'; index: number; call: ReplyCall }
  | { type: 'problem'; problem: string; at: TextRange }

/** What a reply's problems say about a call that cannot be made. */
export function callProblem({ name, problem }: { name?: string | undefined; problem: string }): string {
  return `${name === undefined ? 'a call' : `the call of ${name}`} cannot be used: ${problem}`
}

/** The events of a call that is already complete. */
export function eventsOfCall(call: ReplyCall, index: number): ReplyEvent[] {
  const end: ReplyEvent = { type: 'call-end', index, call }
  if (call.kind === 'malformed') {
    const given: ReplyEvent[] =
      call.name === undefined
        ? []
        : [
            { type: 'call-name', index, name: call.name },
            { type: 'arguments', index, text: call.raw },
          ]
    return [...given, { type: 'problem', problem: callProblem(call), at: call.at }, end]
  }
  if (call.kind !== 'call') return [end]
  const name: ReplyEvent = { type: 'call-name', index, name: call.name }
  if (call.id !== undefined) name.id = call.id
  return [name, { type: 'arguments', index, text: call.argumentsText }, end]
}
