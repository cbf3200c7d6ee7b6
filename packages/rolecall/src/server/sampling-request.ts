import { describe, nullish } from '@rolecall/core/internal/schema'
import { z } from 'zod'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { chatGenerationOf } from '../evaluation/run/ask/generation.ts'
import { stopWordsOf } from '../evaluation/run/ask/generation-settings.ts'
import type { GenerateOptions } from '../model/language-model/language-model.ts'
import {
  bySamplingField,
  bySamplingName,
  type Sampling,
  type SamplingName,
  samplingRows,
} from '../model/language-model/sampling-settings.ts'
import { settingsNotHere } from '../model/language-model/unsupported-setting.ts'
import { asZod } from '../model/model-types/as-zod.ts'
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

const noLogitBias = 'logits cannot be changed'

/** The fields of a request for the model's server. A model that runs here has none: what would have an effect is rejected. */
export function fieldsToForward(request: Given & { logit_bias?: unknown }, { model }: ServedModel): Record<string, unknown> {
  const { logit_bias: bias } = request
  const hasBias = bias !== undefined && bias !== null && JSON.stringify(bias) !== '{}'
  if (model.forward) return hasBias ? { logit_bias: bias } : {}
  if (hasBias) throw badField('logit_bias', noLogitBias, 'unsupported')
  const [notHere] = settingsNotHere(bySamplingField(({ name, neutral }) => request[name] ?? neutral))
  if (notHere !== undefined) throw badField(notHere, 'models that run here do not sample with it', 'unsupported')
  return {}
}

/** Names of llama.cpp and Ollama for settings that requests here call otherwise. */
const otherNames = Object.fromEntries(
  samplingRows.flatMap(({ name, neutral, wire: { llamacpp = name } }) =>
    llamacpp === name ? [] : [[llamacpp, only([neutral], `use ${name}`)]],
  ),
)

/** The sampling settings, accepted by every API: a server that ignored one would give other replies than were asked for. */
export const samplingSettingFields = {
  ...bySamplingName(({ schema, doc, request }) => asZod(nullish(request?.schema ?? schema).check(describe(`${request?.doc ?? doc.en}.`)))),
  ...otherNames,
}

/** Sampling and stop fields, shared by completions and chats. */
export const samplingRequestFields = {
  ...samplingSettingFields,
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
  logit_bias: z
    .unknown()
    .optional()
    .describe(`Forwarded to an upstream server; elsewhere rejected if it would have an effect: ${noLogitBias}.`),
  ignore_eos: only([false], 'the end of a turn always ends a reply'),
  use_beam_search: only([false], 'replies are sampled'),
  skip_special_tokens: only([false], 'tokens are never hidden'),
  ...constraintRequestFields,
  guided_grammar: only([], 'grammars are not supported: use a schema or a regular expression'),
} as const

type Stop = string | readonly string[] | null | undefined

type Given = Partial<Record<SamplingName, number | null | undefined>>

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
  const { seed: _, ...set } = bySamplingName(({ name }) => given[name] ?? undefined)
  const { sampling } = chatGenerationOf(config, set)
  const seed = given.seed ?? config.generation_kwargs?.seed ?? config.seed
  return { ...sampling, seed: seed === undefined || seed === null ? randomSeed() : seed + choice }
}

/** The stops of a request, and those of the model. */
function stopTextsOf(stop: Stop, config: ModelConfig): string[] {
  return [...(typeof stop === 'string' ? [stop] : (stop ?? [])), ...stopWordsOf(config)].filter((text) => text !== '')
}
