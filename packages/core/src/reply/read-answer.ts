import type { Format } from '../prompt/format/format.ts'
import { replySyntaxes, type SyntaxName } from './families/reply-syntaxes.ts'
import { syntaxOf } from './find-syntax.ts'
import { parseExactReply } from './parse/reply-parser.ts'
import type { Reply } from './reply.ts'
import type { WrittenReply } from './reply-reader.ts'
import { offeredSyntax, type ReplySyntax } from './syntax.ts'

/** A reply to be scored: its answer, separated from the reasoning before it. */
export type ReadAnswer = {
  text: string
  reasoning: string
  /** The reply ended inside its reasoning, so that there is no answer. */
  isCut: boolean
}

/**
 * The syntax for reading answers that are scored: that of the model's config or format, reduced to reasoning, since no tools were
 * offered and everything else is the answer, to the letter. Without a known way of reasoning, it is `<think>`.
 *
 * @example
 * answerSyntax(compileChat('chatml').format).reasoning // => [{ open: '<think>', close: '</think>' }]
 */
export function answerSyntax(format: Format, named?: SyntaxName | ReplySyntax): ReplySyntax {
  const syntax = offeredSyntax(syntaxOf(format, named), { functions: false, interpreter: false })
  return { ...syntax, ends: [], reasoning: syntax.reasoning ?? replySyntaxes.think.reasoning! }
}

/**
 * Reads the answer of a reply. Reasoning that the server separated (`reasoning_content`) precedes reasoning in the text. A reply that
 * closes a thought which neither it nor the prompt (`opening`) opened began inside it: templates of reasoning models open it, and if a
 * server applies the template, only the end is visible.
 *
 * @example
 * const { text, reasoning, isCut } = readAnswer({ text: 'C? No.</think>\n\nThe answer is (B).' }, replySyntaxes.think)
 * text // => 'The answer is (B).'
 * reasoning // => 'C? No.'
 * isCut // => false
 */
export function readAnswer(reply: WrittenReply, syntax: ReplySyntax, opening = ''): ReadAnswer {
  const unseen = unseenOpening(reply.text, syntax)
  const { text, reasoning, parts } = readParts(reply.text, syntax, opening, unseen)
  const last = parts.at(-1)
  return {
    text,
    reasoning: [reply.reasoning ?? '', reasoning].filter((one) => one !== '').join('\n'),
    isCut: last?.kind === 'reasoning' && last.unterminated === true,
  }
}

/** Reads a reply; not with the model's own reader where that does not know of the thought, or reads nothing. */
function readParts(text: string, syntax: ReplySyntax, opening: string, unseen: string): Reply {
  const options = (prompt: string) => (prompt === '' ? {} : { prompt })
  const { reader, ...withoutReader } = syntax
  if (reader !== undefined && unseen === '') {
    const reply = parseExactReply(text, syntax, options(opening))
    if (reply.text !== '' || reply.reasoning !== '' || text.trim() === '') return reply
  }
  return parseExactReply(text, withoutReader, options(opening + unseen))
}

/** The mark of a thought that a reply closes without opening it. */
function unseenOpening(text: string, { reasoning = [] }: ReplySyntax): string {
  const span = reasoning.find(({ open, close }) => {
    const end = text.indexOf(close)
    return end >= 0 && !text.slice(0, end).includes(open)
  })
  return span?.open ?? ''
}
