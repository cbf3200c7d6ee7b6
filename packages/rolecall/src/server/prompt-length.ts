import type { Prompt } from '@rolecall/core/internal/format'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import { ApiError } from './api-error.ts'
import type { OpenedChat } from './chat/requested-chat.ts'
import { openaiOverflow, overflowCode } from './context-overflow.ts'
import { inTurn } from './in-turn.ts'
import type { PromptModel, ServedModel } from './served-model.ts'
import type { ServerContext } from './server-context.ts'

/** Number of tokens in a prompt; undefined if only the upstream server has the tokenizer. */
export async function countTokens(
  prompt: Prompt,
  served: ServedModel,
  { prompts, client }: ServerContext,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { model, maker } = served
  if (!model.tokenizer || prompt.kind === 'chat') return undefined
  const { markers, tokens } = maker.format
  const encoded = await prompts?.encode(served, prompt, { client, signal })
  return (encoded ?? tokenize(prompt, model.tokenizer, { markers, tokens })).ids.length
}

/** The length of a prompt, and what it is an estimate of if it is one. */
export type PromptLength = { tokens: number; problems?: readonly string[] }

/**
 * The length of a chat's prompt, for endpoints that only count. An upstream server that gets messages counts them when it generates one token;
 * the tokens of a text that it would complete are estimated: an agent that is refused asks for a reply to each part of its prompt instead.
 */
export async function measurePrompt(
  { server, served, chatPrompt: { prompt } }: OpenedChat,
  disconnected: AbortSignal,
): Promise<PromptLength> {
  const count = await countTokens(prompt, served, server, disconnected)
  if (count !== undefined) return { tokens: count }
  if (prompt.kind === 'chat' && served.model.forward) {
    const generate = (signal: AbortSignal) => served.model.generate(prompt, { maxTokens: 1, signal })
    const { tokens } = await inTurn(server, served, disconnected, generate)
    server.observer.reply(served.name, tokens)
    if (!tokens.unreported) return { tokens: tokens.prompt }
  }
  const { lengths, name } = served
  const problem = `input_tokens is an estimate by ${lengths.basis}: the tokenizer of ${name} is not available here (serve --tokenizer)`
  return { tokens: lengths.of(prompt), problems: [problem] }
}

/** An upper bound for the text of a prompt in any vocabulary. */
const maxCharactersPerToken = 64

/** Rejects a prompt that cannot fit before tokenizing it, which would block the event loop. */
export function refuseOversizedPrompt(prompt: Prompt, { name, model: { context } }: PromptModel): void {
  if (context === undefined || prompt.kind === 'chat') return
  let size = 0
  for (const piece of prompt.pieces) {
    size += 'text' in piece ? piece.text.length : 'ids' in piece ? piece.ids.length * maxCharactersPerToken : 0
  }
  if (size <= context * maxCharactersPerToken) return
  const least = Math.ceil(size / maxCharactersPerToken)
  throw new ApiError(400, { message: `${name}: ${openaiOverflow(context, `at least ${least}`)}`, code: overflowCode })
}
