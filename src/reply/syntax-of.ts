import type { Format } from '../format/format.ts'
import { promptText } from '../format/prompt-text.ts'
import { parseReply } from '../parse/parse-reply.ts'
import type { ReplySyntax } from '../parse/syntax.ts'
import { replySyntax, replySyntaxes, type SyntaxName } from '../parse/syntaxes/index.ts'
import { plainReplies, unmarkedCalls } from '../parse/syntaxes/plain.ts'
import { chatMaker } from '../prompt/compile-chat.ts'
import { PromptError } from '../prompt-error.ts'
import { dictGet, isDict } from '../python/index.ts'

const known = new WeakMap<Format, ReplySyntax>()

/**
 * How a model writes its replies: what its config says (`reply_syntax`), or what its format does. A call that the format writes
 * is read by each syntax, and the one that gets the same call back is the model's. A format that writes no calls gets replies
 * that are only text, or text behind thoughts.
 *
 * @example
 * syntaxOf(compileChat('internlm2').format).name // => 'internlm2'
 * syntaxOf(compileChat('chatml').format, 'hermes').name // => 'hermes'
 */
export function syntaxOf(format: Format, named?: SyntaxName | ReplySyntax): ReplySyntax {
  if (named !== undefined) return typeof named === 'string' ? replySyntax(named) : named
  const found = known.get(format) ?? findSyntax(format)
  known.set(format, found)
  return found
}

function findSyntax(format: Format): ReplySyntax {
  if (format.kind === 'chat') return plainReplies
  const written = writtenCall(format)
  const reads = (syntax: ReplySyntax) =>
    written.some((reply) =>
      parseReply(reply, syntax).calls.some(
        (call) =>
          call.kind === 'call' && call.name === probe.name && isDict(call.arguments) && dictGet(call.arguments, 'qzKey') === 'qzValue',
      ),
    )
  const syntaxes: readonly ReplySyntax[] = Object.values(replySyntaxes)
  const found = syntaxes.find(reads)
  if (found) return found
  if (opensThought(format)) return replySyntaxes.think
  return format.traits.tools ? unmarkedCalls : plainReplies
}

const probe = { name: 'qzTool', description: 'qz', parameters: { type: 'object', properties: { qzKey: { type: 'string' } } } }
const question = { role: 'user', content: 'qz' }
const call = { id: 'qzcallid1', type: 'function', function: { name: probe.name, arguments: { qzKey: 'qzValue' } } } as const

/**
 * What the model would have generated to make a call: what the complete prompt has and the one before it has not. Where that
 * one opens a thought, `<think>` and `<tool_call>` begin alike, so that the whole last line is tried, too.
 */
function writtenCall(format: Format): string[] {
  try {
    const { render } = chatMaker(format)
    const asked = promptText(render({ messages: [question], tools: [probe] }))
    const messages = [question, { role: 'assistant', content: '', tool_calls: [call] }]
    const complete = promptText(render({ messages, tools: [probe] }, { want: 'complete' }))
    let same = 0
    while (same < asked.length && asked[same] === complete[same]) same++
    return [complete.slice(same), complete.slice(complete.lastIndexOf('\n', same - 1) + 1)]
  } catch (error) {
    if (error instanceof PromptError) return []
    throw error
  }
}

function opensThought(format: Format): boolean {
  try {
    return /<think>\s*$/.test(promptText(chatMaker(format).render({ messages: [question] })))
  } catch (error) {
    if (error instanceof PromptError) return false
    throw error
  }
}
