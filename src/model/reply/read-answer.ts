import type { Format } from '../../prompt/format/format.ts'
import { replySyntaxes, type SyntaxName } from './families/reply-syntaxes.ts'
import { syntaxOf } from './find-syntax.ts'
import { parseReply } from './parse/reply-parser.ts'
import type { WrittenReply } from './reply-reader.ts'
import { offeredSyntax, type ReplySyntax } from './syntax.ts'

/** A reply to be scored: its answer apart from the reasoning before it. */
export type ReadAnswer = {
  text: string
  reasoning: string
  /** The reply ended inside its reasoning: there is no answer. */
  isCut: boolean
}

/**
 * The syntax by which answers are read that are to be scored: that of the model's config or format, of which only reasoning
 * counts, since no tools were offered and all else is the answer, to the letter. Where nothing is known of a model's reasoning,
 * it is `<think>`.
 *
 * @example
 * answerSyntax(compileChat('chatml').format).reasoning // => [{ open: '<think>', close: '</think>' }]
 */
export function answerSyntax(format: Format, named?: SyntaxName | ReplySyntax): ReplySyntax {
  const syntax = offeredSyntax(syntaxOf(format, named), { functions: false, interpreter: false })
  return { ...syntax, ends: [], reasoning: syntax.reasoning ?? replySyntaxes.think.reasoning! }
}

/**
 * Reads the answer of a reply. Reasoning that the server told apart (`reasoning_content`) goes before what is in the text; a
 * reply that closes a thought which neither it nor the prompt (`opening`) opened was begun inside it: templates of reasoning
 * models open it, and where a server applies them only the end is seen.
 *
 * @example
 * const { text, reasoning, isCut } = readAnswer({ text: 'C? No.</think>\n\nThe answer is (B).' }, replySyntaxes.think)
 * text // => 'The answer is (B).'
 * reasoning // => 'C? No.'
 * isCut // => false
 */
export function readAnswer(reply: WrittenReply, syntax: ReplySyntax, opening = ''): ReadAnswer {
  const prompt = opening + unseenOpening(reply.text, syntax)
  const { text, reasoning, parts } = parseReply(reply.text, syntax, prompt === '' ? {} : { prompt })
  const last = parts.at(-1)
  return {
    text,
    reasoning: [reply.reasoning ?? '', reasoning].filter((one) => one !== '').join('\n'),
    isCut: last?.kind === 'reasoning' && last.unterminated === true,
  }
}

/** The mark of the thought that a reply closes without having opened it. */
function unseenOpening(text: string, { reasoning = [] }: ReplySyntax): string {
  const span = reasoning.find(({ open, close }) => {
    const end = text.indexOf(close)
    return end >= 0 && !text.slice(0, end).includes(open)
  })
  return span?.open ?? ''
}
