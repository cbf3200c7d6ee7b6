// vLLM's protocol between a renderer without an engine and an engine that takes ids, at vllm-project/vllm@a014e35f:
// vllm/entrypoints/scale_out/{render,derender,token_in_token_out}. Fields that it ignores are accepted here, too.

import { z } from 'zod'
import { chatRequest } from '../chat/chat-request.ts'
import { completionRequest } from '../completions/completion-request.ts'
import { only } from '../sampling-request.ts'
import { tokenIds } from '../token-ids.ts'

const requestFields = {
  request_id: z.string().max(200).nullish().describe('Part of the id in the answer; random if omitted.'),
  cache_salt: z.string().min(1).nullish().describe('Passed on in the answer.'),
  priority: z.int().nullish().describe('Passed on in the answer.'),
} as const

const renderFields = {
  ...requestFields,
  return_token_offsets: z.boolean().nullish().describe('Adds the range of each token in the text, in Unicode code points.'),
  truncate_prompt_tokens: only([], 'prompts are not truncated: shorten the conversation'),
} as const

/** The body of POST /v1/chat/completions/render: a chat request. */
export const chatRenderRequest = chatRequest.extend({
  ...renderFields,
  add_generation_prompt: z.boolean().nullish().describe('true by default; false: the prompt ends behind the last message.'),
  return_assistant_tokens_mask: z
    .boolean()
    .nullish()
    .describe('Adds a 1 for each token that the model wrote, if the chat template marks them ({% generation %}).'),
  chat_template: only([], 'templates of requests are not trusted'),
  previous: z
    .strictObject({ token_ids: tokenIds, completion_token_ids: tokenIds })
    .nullish()
    .describe(
      'The ids that were sent before the last message of the assistant, and those that were sampled for it: they are kept, and only what follows is rendered. `departures` in the answer says where the chat template would write them differently now, `fork` why they could not be kept.',
    ),
})

/** The body of POST /v1/completions/render: a completion request. */
export const completionRenderRequest = completionRequest.extend(renderFields)

/** The body of POST /inference/v1/generate, which is what a render answers. */
export const generateRequest = z
  .looseObject({
    ...requestFields,
    model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
    token_ids: tokenIds.refine((ids) => ids.length > 0, 'expected at least one id').describe('The prompt.'),
    sampling_params: z.looseObject({}).describe('As in a request for completions.'),
    features: only([], 'media cannot be given as features of an engine'),
    content_parts: only([[]], 'media cannot be given beside ids'),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish(), continuous_usage_stats: z.boolean().nullish() }).nullish(),
    kv_transfer_params: only([], 'caches are not transferred'),
    ec_transfer_params: only([], 'caches are not transferred'),
  })
  .refine(({ stream, stream_options: options }) => stream === true || options === undefined || options === null, {
    path: ['stream_options'],
    message: 'only with stream: true',
  })

/** vLLM's limit. */
const mostChoices = 16_384

const logprob = { token: z.string(), logprob: z.number(), bytes: z.array(z.int()).nullish() } as const

const logProbabilities = z.looseObject({
  content: z.array(z.looseObject({ ...logprob, top_logprobs: z.array(z.looseObject(logprob)).nullish() })).nullish(),
})

const choice = z.looseObject({
  index: z.int().nonnegative(),
  token_ids: tokenIds.refine((ids) => ids.length > 0, 'expected at least one id'),
  finish_reason: z.string().nullish(),
  logprobs: logProbabilities.nullish(),
})

const responseFields = { request_id: z.string().max(200), model: z.string().nullish(), created: z.number().nullish() } as const

/** A whole answer of an engine. */
export const generateResponse = z.looseObject({ ...responseFields, choices: z.array(choice).min(1).max(mostChoices) })

/** A chunk of one. */
export const generateChunk = z.looseObject({
  ...responseFields,
  choices: z.array(choice.extend({ token_ids: tokenIds })).max(1),
  usage: z.looseObject({ completion_tokens: z.int().nonnegative().nullish() }).nullish(),
})

export type GeneratedChoice = z.output<typeof choice>

/** What a client carries from chunk to chunk. It is the client's: nothing in it is trusted. */
export const streamState = z.looseObject({
  ids: tokenIds.describe('The ids of the reply so far.'),
  call_ids: z.array(z.string().max(200)).max(1000).describe('The ids that its calls were given.'),
  role_sent: z.boolean(),
})

const promptTokens = z.int().nonnegative().nullish()

/** The body of POST /v1/chat/completions/derender. */
export const chatDerenderRequest = z.looseObject({
  model: z.string().nullish(),
  stream: z.literal(false).nullish(),
  generate_response: generateResponse,
  prompt_tokens: promptTokens,
  chat_request: chatRequest.nullish(),
})

export const chatDerenderStreamRequest = z.looseObject({
  model: z.string().nullish(),
  stream: z.literal(true),
  generate_chunk: generateChunk,
  stream_state: streamState.nullish(),
  prompt_tokens: promptTokens,
  chat_request: chatRequest.nullish(),
})

/** The body of POST /v1/completions/derender. */
export const completionDerenderRequest = z
  .looseObject({
    model: z.string().nullish(),
    stream: z.literal(false).nullish(),
    generate_responses: z.array(generateResponse).min(1).max(mostChoices),
    prompt_tokens: z.array(z.int().nonnegative()).nullish(),
  })
  .refine(({ generate_responses: all, prompt_tokens: counts }) => !counts || counts.length === all.length, {
    path: ['prompt_tokens'],
    message: 'expected one number for each response',
  })

export const completionDerenderStreamRequest = z.looseObject({
  model: z.string().nullish(),
  stream: z.literal(true),
  generate_chunk: generateChunk,
  stream_state: streamState.nullish(),
  prompt_tokens: promptTokens,
})
