import type { SyntaxName } from '../families/reply-syntaxes.ts'
import type { Reply, ReplyEvent } from '../reply.ts'
import type { ReplySyntax } from '../syntax.ts'
import { type ParseOptions, ReplyParser } from './reply-parser.ts'

/**
 * Reads a whole reply, given as text or as token ids: what the model says, what it thinks, the calls it makes. What is
 * malformed is handed back as such; nothing is thrown and nothing is lost.
 *
 * @example
 * const { text, calls } = parseReply('Sure.<tool_call>{"name": "now", "arguments": {}}</tool_call>', 'hermes')
 * text // => 'Sure.'
 * calls.map((call) => call.kind === 'call' && call.name) // => ['now']
 */
export function parseReply(reply: string | readonly number[], syntax: SyntaxName | ReplySyntax, options: ParseOptions = {}): Reply {
  const parser = new ReplyParser(syntax, options)
  parser.push(reply)
  parser.end()
  return parser.reply
}

/**
 * Reads a reply while it is generated: takes a stream of text or token ids and tells what is certain as soon as it is.
 * For a reply that comes through callbacks there is `ReplyParser`.
 *
 * @example
 * const pieces = ['Hi <tool_c', 'all>{"name": "no', 'w"}</tool_call>']
 * const told: string[] = []
 * for await (const event of parseReplyStream(pieces, 'hermes')) told.push(event.type)
 * told // => ['text', 'call-name', 'arguments', 'call-end']
 */
export async function* parseReplyStream(
  pieces: AsyncIterable<string | readonly number[]> | Iterable<string | readonly number[]>,
  syntax: SyntaxName | ReplySyntax,
  options: ParseOptions = {},
): AsyncGenerator<ReplyEvent, void, undefined> {
  const parser = new ReplyParser(syntax, options)
  for await (const piece of pieces) yield* parser.push(piece)
  yield* parser.end()
}
