import type { Constraint } from '@rolecall/core/internal/constrain'
import { checkChoices } from '../choice-limits.ts'
import { refuseOversizedPrompt } from '../prompt-length.ts'
import { checkConstraint, constraintOf } from '../response-format.ts'
import { fieldsToForward } from '../sampling-request.ts'
import { findModel, type ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import type { CompletionRequest } from './completion-request.ts'
import { type CompletionPrompt, promptsOf, rawPrompt, stopTokens } from './raw-prompt.ts'

/** One reply to one prompt of a request. */
export type Choice = {
  index: number
  given: string | readonly number[]
  prompt: CompletionPrompt
  /** The number of the reply among those to this prompt. */
  reply: number
}

/** A request for completions ready to be answered: its model was found, its prompts and the constraint on its replies were built. */
export type OpenedCompletion = {
  server: ServerContext
  served: ServedModel
  request: CompletionRequest
  choices: readonly Choice[]
  constraint: Constraint | undefined
  forwarded: Record<string, unknown>
}

/** The way of completions from their request to their prompts and the constraint on their replies; rejects what is invalid before anything is generated. */
export async function openCompletion(server: ServerContext, request: CompletionRequest, signal: AbortSignal): Promise<OpenedCompletion> {
  const served = findModel(server.models, request.model)
  const choices = choicesOf(request, served, server)
  const forwarded = fieldsToForward(request, served)
  const constraint = constraintOf(request)
  await checkConstraint(constraint, served, { client: server.client, signal })
  return { server, served, request, choices, constraint, forwarded }
}

function choicesOf(request: CompletionRequest, served: ServedModel, { limits }: ServerContext): Choice[] {
  const prompts = promptsOf(request)
  const each = request.n ?? 1
  checkChoices(prompts.length, each, limits)
  return prompts.flatMap((given, number) => {
    const prompt = promptOf(given, number, request, served)
    return Array.from({ length: each }, (_, reply) => ({ index: number * each + reply, given, prompt, reply }))
  })
}

function promptOf(given: Choice['given'], number: number, request: CompletionRequest, served: ServedModel): CompletionPrompt {
  const eos = served.model.tokenizer?.eos
  const prompt = rawPrompt(
    given,
    {
      index: Array.isArray(request.prompt) && typeof request.prompt[0] !== 'number' ? number : undefined,
      stops: stopTokens([...(request.stop_token_ids ?? []), ...(eos === undefined ? [] : [eos])]),
      addSpecialTokens: request.add_special_tokens ?? true,
    },
    served,
  )
  refuseOversizedPrompt(prompt, served)
  return prompt
}
