import type { SyntaxName } from './syntaxes/index.ts'

/** What a model's config and format say about how it writes its replies. */
type Written = { config: { chat_template?: string | undefined; reply_syntax?: string | undefined }; format: { markers: readonly string[] } }

/**
 * How a model writes its replies, by its config or by the marks in its format and chat template: reasoning, calls, code.
 * Undefined where nothing says so; then a reply is only text.
 *
 * @example
 * syntaxOf({ config: {}, format: compileChat('internlm2').format }) // => 'internlm2'
 * syntaxOf({ config: { chat_template: "{{ '<tool_call>' }}" }, format: { markers: [] } }) // => 'hermes'
 */
export function syntaxOf({ config, format }: Written): SyntaxName | undefined {
  if (config.reply_syntax !== undefined) return config.reply_syntax as SyntaxName
  const text = [...format.markers, config.chat_template ?? ''].join('\n')
  const has = (mark: string) => text.includes(mark)
  const thinks = has('<think>')
  if (has('<|action_start|>')) return thinks ? 'intern-s1' : 'internlm2'
  if (has('<｜tool▁call▁begin｜>')) return 'deepseek'
  if (has('[TOOL_CALLS]')) return 'mistral'
  // Qwen3-Coder's calls look alike and are XML.
  if (has('<tool_call>') && !has('<function=')) return 'hermes'
  if (has('<|python_tag|>') || (has('<|start_header_id|>') && has('tools'))) return 'llama3'
  return thinks ? 'think' : undefined
}
