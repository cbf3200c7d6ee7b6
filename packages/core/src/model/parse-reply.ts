import { type ChecksOf, checkOptionsOf } from '../base/errors/check-options.ts'
import { PromptError } from '../base/errors/prompt-error.ts'
import { decodeTokens } from '../prompt/tokenizer/token-decoder.ts'
import { replySyntax } from '../reply/families/reply-syntaxes.ts'
import { openingOf, type ParseOptions as ReplyParserOptions, type ReplySyntax, type SyntaxName, syntaxOf } from '../reply/index.ts'
import { ReplyParser } from '../reply/parse/reply-parser.ts'
import { checkModel, type Model } from './model.ts'
import { type ParsedEvent, type ParsedReply, plainEvent, plainReply } from './plain-reply.ts'
import type { ModelPrompt } from './render-prompt.ts'

/** What is known about a reply before it is read. */
export type ReplyOptions = {
  /**
   * The prompt that the reply answers: it may have opened what the reply continues (`<think>`, a call). As text, it is trusted as a whole; of
   * a prompt of `renderPrompt`, only what its format wrote counts.
   */
  prompt?: ModelPrompt | string
  /** The tools the model was given, bare or in OpenAI's shape: names and arguments are checked against them. */
  tools?: readonly object[] | null
}

const optionChecks = {
  prompt: { kind: 'a prompt of renderPrompt, or its text', holds: isPrompt },
  tools: { kind: 'a list of tools', holds: (value) => value === null || Array.isArray(value) },
} satisfies ChecksOf<ReplyOptions>

function isPrompt(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && 'rendered' in value)
}

/** A model, or how replies are written: the name of a family (`hermes`, `internlm2`, …) or a syntax. */
export type ReplyWriter = Model | SyntaxName | ReplySyntax

/**
 * Reads a whole reply, as text or as token ids: what the model says, what it thinks, the calls it makes. Malformed calls are part of the
 * result; nothing is thrown and nothing is lost. Arguments are plain JSON.
 *
 * @example
 * const { text, calls } = parseReply('hermes', 'Sure.<tool_call>{"name": "now", "arguments": {"zone": 1.0}}</tool_call>')
 * text // => 'Sure.'
 * JSON.stringify(calls.map((call) => call.kind === 'call' && call.arguments)) // => '[{"zone":1}]'
 */
export function parseReply(model: ReplyWriter, reply: string | readonly number[], options: ReplyOptions = {}): ParsedReply {
  const parser = parserOf(model, options, 'parseReply', typeof reply !== 'string')
  parser.push(reply)
  parser.end()
  return plainReply(parser.reply)
}

/**
 * Reads a reply while it is generated: takes a stream of text or token ids and yields events as soon as they are certain.
 *
 * @example
 * const types: string[] = []
 * for await (const { type } of parseStream('hermes', ['Hi <tool_c', 'all>{"name": "no', 'w"}</tool_call>'])) types.push(type)
 * types // => ['text', 'call-name', 'arguments', 'call-end']
 */
export async function* parseStream(
  model: ReplyWriter,
  source: AsyncIterable<string | readonly number[]> | Iterable<string | readonly number[]>,
  options: ReplyOptions = {},
): AsyncGenerator<ParsedEvent, ParsedReply, undefined> {
  let parser: ReplyParser | undefined
  for await (const piece of source) {
    parser ??= parserOf(model, options, 'parseStream', typeof piece !== 'string')
    for (const event of parser.push(piece)) yield plainEvent(event)
  }
  parser ??= parserOf(model, options, 'parseStream', false)
  for (const event of parser.end()) yield plainEvent(event)
  return plainReply(parser.reply)
}

function parserOf(model: ReplyWriter, options: ReplyOptions, where: string, isByIds: boolean): ReplyParser {
  checkOptionsOf(options, optionChecks, `${where} › options`)
  const parsing: ReplyParserOptions = {}
  const { prompt, tools } = options
  const opening = typeof prompt === 'object' ? openingOf(prompt.rendered) : prompt
  if (opening !== undefined && opening !== '') parsing.prompt = opening
  if (tools) parsing.tools = tools
  if (isByIds) parsing.tokens = tokensOf(model, where)
  return new ReplyParser(syntaxWrittenBy(model), parsing)
}

/** How a model writes its replies. */
export function syntaxWrittenBy(model: ReplyWriter): ReplySyntax {
  if (typeof model === 'string') return replySyntax(model)
  if (typeof model === 'object' && model !== null && 'blocks' in model) return model
  checkModel(model, 'model')
  return syntaxOf(model.format, model.replySyntax)
}

/** Only ids distinguish a mark from the same characters as text. */
function tokensOf(model: ReplyWriter, where: string): NonNullable<ReplyParserOptions['tokens']> {
  const tokenizer = typeof model === 'object' && 'format' in model ? model.tokenizer : undefined
  if (tokenizer !== undefined) return { idOf: (token) => tokenizer.idOf(token), decode: (ids) => decodeTokens(ids, tokenizer) }
  throw new PromptError('no-tokenizer', {
    where,
    problem: 'token ids cannot be read without a tokenizer',
    fix: 'give a model with one: defineModel({ …, tokenizer: readTokenizer(json) }), or give the text of the reply',
  })
}
