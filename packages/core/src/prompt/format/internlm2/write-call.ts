import { PromptError } from '../../../base/errors/prompt-error.ts'
import { JsonSyntaxError, type PyValue, parseJson, stringifyJson } from '../../../base/python/index.ts'
import type { ToolCall } from '../../conversation/conversation.ts'

/** The text between the markers of a call: a tool's name and arguments as JSON, or code as a Markdown block. */
export function writeCall(call: ToolCall, key: 'parameters' | 'arguments'): string {
  if (call.raw !== undefined) return call.raw
  if (call.code !== undefined) return fenced(call.code)
  return stringifyJson({ name: call.name, [key]: readArguments(call) }, { ensureAscii: false })
}

/** Code in a Markdown block; unchanged if it already is one. */
function fenced(code: string): string {
  return code.startsWith('```') ? code : `\`\`\`python\n${code}${code.endsWith('\n') || code === '' ? '' : '\n'}\`\`\``
}

/** Servers and clients pass arguments as JSON text; some omit it for a call without arguments. */
function readArguments({ arguments: given, path }: ToolCall): PyValue {
  if (typeof given !== 'string') return given
  if (given.trim() === '') return {}
  try {
    return parseJson(given)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new PromptError('bad-arguments', {
      where: `${path}.arguments`,
      problem: `the arguments are not JSON (${error.message})`,
      fix: 'correct them, or give what the model wrote as `raw` or as token_ids',
    })
  }
}
