import type { Reply } from './reply.ts'
import { type ParseOptions, ReplyParser } from './reply-parser.ts'
import type { ReplySyntax } from './syntax.ts'
import type { SyntaxName } from './syntaxes/index.ts'

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
