import { z } from 'zod'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { chatGenerationOf } from '../evaluation/run/ask/generation.ts'
import { stopWordsOf } from '../evaluation/run/ask/generation-settings.ts'
import type { GenerateOptions } from '../model/language-model/language-model.ts'
import type { Sampling } from '../model/language-model/sampling.ts'
import { badField } from './api-error.ts'
import { constraintRequestFields } from './response-format.ts'
import type { ServedModel } from './served-model.ts'
import { stopIds } from './token-ids.ts'

/** A field that is accepted only with values that have no effect: others would be silently ignored. */
export function only(values: readonly unknown[], reason: string) {
  return z
    .unknown()
    .optional()
    .refine((value) => value === undefined || value === null || values.some((one) => JSON.stringify(one) === JSON.stringify(value)), reason)
    .describe(`Rejected if it would have an effect: ${reason}.`)
}

/** Fields that only upstream servers implement: the values without effect, and why others are rejected for models that run here. */
const forwardedFields = {
  logit_bias: { neutral: [{}], reason: 'logits cannot be changed' },
  top_k: { neutral: [-1, 0], reason: 'use top_p' },
  min_p: { neutral: [0], reason: 'use top_p' },
} as const satisfies Record<string, { neutral: readonly unknown[]; reason: string }>

function forwarded(name: keyof typeof forwardedFields) {
  const { reason } = forwardedFields[name]
  return z.unknown().optional().describe(`Forwarded to an upstream server; elsewhere rejected if it would have an effect: ${reason}.`)
}

/** The fields of a request for the model's server. A model that runs here has none: what would have an effect is rejected. */
export function fieldsToForward(
  request: { [Name in keyof typeof forwardedFields]?: unknown },
  { model }: ServedModel,
): Record<string, unknown> {
  const given = Object.entries(forwardedFields).filter(([name, { neutral }]) => {
    const value = request[name as keyof typeof forwardedFields]
    return value !== undefined && value !== null && !neutral.some((one) => JSON.stringify(one) === JSON.stringify(value))
  })
  const [first] = given
  if (first && !model.forward) throw badField(first[0], first[1].reason, 'unsupported')
  return Object.fromEntries(given.map(([name]) => [name, request[name as keyof typeof forwardedFields]]))
}

/** Sampling and stop fields, shared by completions and chats. */
export const samplingRequestFields = {
  temperature: z
    .number()
    .min(0)
    .max(100)
    .nullish()
    .describe("Sampling temperature; 0 is greedy decoding. Defaults to the model's setting, else 0."),
  top_p: z.number().gt(0).max(1).nullish().describe('Nucleus sampling: only the most likely tokens that together reach this probability.'),
  presence_penalty: z.number().min(-2).max(2).nullish().describe('Subtracted from the logits of tokens that the reply already contains.'),
  frequency_penalty: z
    .number()
    .min(-2)
    .max(2)
    .nullish()
    .describe('Subtracted from the logit of a token once for each occurrence in the reply.'),
  repetition_penalty: z.number().positive().nullish().describe('Above 1, tokens that the reply already contains become less likely.'),
  seed: z.int().nullish().describe('The same seed gives the same reply; the choices of one request get consecutive seeds.'),
  stop: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .describe('Stop sequences; they are not part of the reply.'),
  stop_token_ids: stopIds.nullish().describe('Stop token ids; at most 1,000.'),
  min_tokens: z.int().nonnegative().nullish().describe('Minimum number of generated tokens.'),
  n: z.int().min(1).nullish().describe('Number of replies.'),
  stream: z.boolean().nullish().describe('Stream the reply as server-sent events.'),
  stream_options: z
    .looseObject({ include_usage: z.boolean().nullish() })
    .nullish()
    .describe('`{ "include_usage": true }`: the last event contains the usage.'),
  logit_bias: forwarded('logit_bias'),
  top_k: forwarded('top_k'),
  min_p: forwarded('min_p'),
  ignore_eos: only([false], 'the end of a turn always ends a reply'),
  use_beam_search: only([false], 'replies are sampled'),
  skip_special_tokens: only([false], 'tokens are never hidden'),
  ...constraintRequestFields,
  guided_grammar: only([], 'grammars are not supported: use a schema or a regular expression'),
} as const

type Stop = string | readonly string[] | null | undefined

type Given = {
  [Key in 'temperature' | 'top_p' | 'presence_penalty' | 'frequency_penalty' | 'repetition_penalty' | 'seed']?: number | null | undefined
}

/** What a request and its model's config say about each reply. */
export function replySettings(
  request: Given & { min_tokens?: number | null | undefined; stop?: Stop },
  { config }: ServedModel,
  { choice, randomSeed }: { choice: number; randomSeed: () => number },
): Pick<GenerateOptions, 'minTokens' | 'sampling'> & { stopTexts: string[] } {
  return {
    minTokens: request.min_tokens ?? 0,
    stopTexts: stopTextsOf(request.stop, config),
    sampling: requestSampling(request, config, choice, randomSeed),
  }
}

/** Sampling options: those of the request take precedence over those of the model. */
function requestSampling(given: Given, config: ModelConfig, choice: number, randomSeed: () => number): Partial<Sampling> {
  const { temperature, top_p, presence_penalty, frequency_penalty, repetition_penalty } = given
  const { sampling } = chatGenerationOf(config, defined({ temperature, top_p, presence_penalty, frequency_penalty, repetition_penalty }))
  const seed = given.seed ?? config.generation_kwargs?.seed ?? config.seed
  return { ...sampling, seed: seed === undefined || seed === null ? randomSeed() : seed + choice }
}

/** The stops of a request, and those of the model. */
function stopTextsOf(stop: Stop, config: ModelConfig): string[] {
  return [...(typeof stop === 'string' ? [stop] : (stop ?? [])), ...stopWordsOf(config)].filter((text) => text !== '')
}

function defined<Fields extends Record<string, unknown>>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> }
}
