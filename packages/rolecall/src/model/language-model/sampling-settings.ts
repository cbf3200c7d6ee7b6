import type { Schema } from '@rolecall/core/internal/schema'
import * as z from '@rolecall/core/internal/schema'
import { type CamelCase, camelCase } from '@rolecall/core/internal/text'

/** APIs and programs, and what each of them calls a setting. An API without a name for it has no such setting. */
type Wire = {
  /** The fields of OpenAI's chat completions and completions. */
  openai?: string
  /** Those of its Responses API. */
  responses?: string
  /** Those of Anthropic's Messages API. */
  messages?: string
  /** Those of the `generationConfig` of Gemini's API. */
  google?: string
  /** What vLLM, SGLang and most other servers add to OpenAI's fields. */
  vllm?: string
  /** The requests of llama.cpp's server, and the `options` of Ollama. */
  llamacpp?: string
  /** LMDeploy's `gen_config`. */
  lmdeploy?: string
  /** The `generation_args` of Every Eval Ever; settings without a name there are additional details. */
  everyEvalEver?: string
}

/** The likeliest tokens that are left to choose from, in descending order of probability. */
type Candidates = { count: number; mass: number; probability(rank: number): number }

/** What a setting does where a model runs here. */
type LocalEffect =
  | { on: 'temperature' | 'random numbers' }
  /** Changes the logit of a token that occurs `count` times in the reply. */
  | { on: 'repeated tokens'; change(logit: number, count: number, value: number): number }
  /** How many candidates it leaves. */
  | { on: 'candidates'; keep(candidates: Candidates, value: number): number }

export type SamplingSetting = {
  /** As configs have it. */
  schema: Schema<number>
  /** Where no value is set, models that run here use this one. */
  neutral: number
  /** A request without the field means the same, so that servers that do not know it need not refuse it. */
  omitsNeutral?: true
  /** One sentence without its full stop, for schemas, help texts and docs. */
  doc: { en: string; zh: string }
  /** What holds where it is not set, if `doc` does not say it: `1 by default`. */
  otherwise?: string
  /** What differs in requests to `rolecall serve`. */
  request?: { schema?: Schema<number>; doc?: string }
  /** Its name as a cause of different scores. */
  cause: { en: string; zh: string }
  /** What happens without it, if a server refuses the field. */
  refused: string
  /** A typical value, for examples. */
  example: number
  wire: Wire
  /** Names by which configs of other programs may mean it. */
  otherNames?: readonly string[]
  /** Without it, models that run here refuse the setting. */
  here?: LocalEffect
}

/**
 * The sampling settings by their names in configs, one row each: how the next token is chosen. Schemas, flags, requests, records, keys,
 * imports, published results, the viewer and the docs are derived from this table. The effects on candidates apply in its order.
 */
export const samplingSettings = {
  temperature: {
    schema: z.number().check(z.nonnegative()),
    neutral: 0,
    doc: { en: 'Sampling temperature; 0, the default, is greedy decoding', zh: '采样温度；默认 0，即贪心解码' },
    request: {
      schema: z.number().check(z.gte(0), z.lte(100)),
      doc: "Sampling temperature; 0 is greedy decoding. Defaults to the model's setting, else 0",
    },
    cause: { en: 'temperature', zh: '温度' },
    refused: 'it samples with its own temperature, so that replies may differ from run to run',
    example: 0.7,
    wire: {
      openai: 'temperature',
      responses: 'temperature',
      messages: 'temperature',
      google: 'temperature',
      llamacpp: 'temperature',
      lmdeploy: 'temperature',
      everyEvalEver: 'temperature',
    },
    otherNames: ['temp', 't'],
    here: { on: 'temperature' },
  },
  top_k: {
    schema: z.int().check(z.gte(-1)),
    neutral: 0,
    doc: { en: 'Only this many of the most likely tokens; 0 and -1 mean all', zh: '只从概率最大的这么多个 token 中采样；0 和 -1 表示不限' },
    otherwise: '0 by default',
    cause: { en: 'top-k', zh: 'top-k' },
    refused: 'it samples with its own top_k',
    example: 40,
    wire: { vllm: 'top_k', messages: 'top_k', google: 'topK', llamacpp: 'top_k', lmdeploy: 'top_k', everyEvalEver: 'top_k' },
    here: { on: 'candidates', keep: ({ count }, value) => (value > 0 ? Math.min(count, value) : count) },
  },
  top_p: {
    schema: z.number().check(z.positive(), z.lte(1)),
    neutral: 1,
    doc: {
      en: 'Nucleus sampling: only the most likely tokens that together reach this probability',
      zh: '核采样：只取累计概率达到此值的最可能的 token',
    },
    otherwise: '1 by default',
    cause: { en: 'top-p', zh: 'top-p' },
    refused: 'it samples with its own top_p',
    example: 0.9,
    wire: {
      openai: 'top_p',
      responses: 'top_p',
      messages: 'top_p',
      google: 'topP',
      llamacpp: 'top_p',
      lmdeploy: 'top_p',
      everyEvalEver: 'top_p',
    },
    otherNames: ['nucleus', 'p'],
    here: {
      on: 'candidates',
      keep({ count, mass, probability }, value) {
        let kept = 0
        for (let sum = 0; kept < count && (kept === 0 || sum < value * mass); kept++) sum += probability(kept)
        return kept
      },
    },
  },
  min_p: {
    schema: z.number().check(z.gte(0), z.lte(1)),
    neutral: 0,
    doc: {
      en: 'Only tokens at least this likely, relative to the most likely one',
      zh: '只取概率不低于最大概率乘以此值的 token',
    },
    otherwise: '0 by default',
    cause: { en: 'min-p', zh: 'min-p' },
    refused: 'it samples with its own min_p',
    example: 0.05,
    wire: { vllm: 'min_p', llamacpp: 'min_p', lmdeploy: 'min_p' },
    here: {
      on: 'candidates',
      keep({ count, probability }, value) {
        if (value === 0) return count
        let kept = 1
        while (kept < count && probability(kept) >= value * probability(0)) kept++
        return kept
      },
    },
  },
  repetition_penalty: {
    schema: z.number().check(z.positive()),
    neutral: 1,
    omitsNeutral: true,
    doc: {
      en: 'Above 1, tokens that the reply already contains become less likely',
      zh: '大于 1 时，回复中已有的 token 更不容易再出现',
    },
    otherwise: '1 by default',
    cause: { en: 'repetition penalty', zh: '重复惩罚' },
    refused: 'there is no repetition penalty',
    example: 1.1,
    wire: { vllm: 'repetition_penalty', llamacpp: 'repeat_penalty', lmdeploy: 'repetition_penalty' },
    otherNames: ['repeat_penalty'],
    here: { on: 'repeated tokens', change: (logit, _, value) => (logit > 0 ? logit / value : logit * value) },
  },
  presence_penalty: {
    schema: z.number(),
    neutral: 0,
    omitsNeutral: true,
    doc: {
      en: 'Subtracted from the logits of tokens that the reply already contains',
      zh: '从回复中已有的 token 的 logit 中减去此值',
    },
    otherwise: '0 by default',
    request: { schema: z.number().check(z.gte(-2), z.lte(2)) },
    cause: { en: 'presence penalty', zh: '存在惩罚' },
    refused: 'there is no presence penalty',
    example: 0.5,
    wire: { openai: 'presence_penalty', google: 'presencePenalty', llamacpp: 'presence_penalty' },
    here: { on: 'repeated tokens', change: (logit, _, value) => logit - value },
  },
  frequency_penalty: {
    schema: z.number(),
    neutral: 0,
    omitsNeutral: true,
    doc: {
      en: 'Subtracted from the logit of a token once for each occurrence in the reply',
      zh: 'token 在回复中每出现一次，其 logit 就减去此值',
    },
    otherwise: '0 by default',
    request: { schema: z.number().check(z.gte(-2), z.lte(2)) },
    cause: { en: 'frequency penalty', zh: '频率惩罚' },
    refused: 'there is no frequency penalty',
    example: 0.5,
    wire: { openai: 'frequency_penalty', google: 'frequencyPenalty', llamacpp: 'frequency_penalty' },
    here: { on: 'repeated tokens', change: (logit, count, value) => logit - count * value },
  },
  seed: {
    schema: z.int().check(z.nonnegative()),
    neutral: 0,
    doc: {
      en: 'Sampling seed: the same seed gives the same replies; each row and sample derives its own seed from it',
      zh: '采样种子：相同的种子得到相同的回复；每条数据、每个样本由它得到各自的种子',
    },
    otherwise: '0 by default for local models; servers receive a seed only if it is set',
    request: { schema: z.int(), doc: 'The same seed gives the same reply; the choices of one request get consecutive seeds' },
    cause: { en: 'seed', zh: '随机种子' },
    refused: 'replies may differ from run to run',
    example: 7,
    wire: { openai: 'seed', google: 'seed', llamacpp: 'seed', lmdeploy: 'random_seed' },
    here: { on: 'random numbers' },
  },
} as const satisfies Record<string, SamplingSetting>

/** The name of a setting in configs and requests. */
export type SamplingName = keyof typeof samplingSettings

/** The field of a setting in TypeScript: `topP` for `top_p`. */
export type SamplingField = CamelCase<SamplingName>

/** How the next token is chosen: the values of `samplingSettings`. */
export type Sampling = Record<SamplingField, number>

/** A row of the table with its names. */
export type SamplingRow = SamplingSetting & { name: SamplingName; field: SamplingField }

export const samplingRows: readonly SamplingRow[] = (Object.entries(samplingSettings) as [SamplingName, SamplingSetting][]).map(
  ([name, setting]) => ({ ...setting, name, field: camelCase(name) }),
)

export const samplingNames: readonly SamplingName[] = samplingRows.map(({ name }) => name)

/** An entry for each setting, by its name in configs. */
export function bySamplingName<Value>(toValue: (row: SamplingRow) => Value): Record<SamplingName, Value> {
  return Object.fromEntries(samplingRows.map((row) => [row.name, toValue(row)])) as Record<SamplingName, Value>
}

/** An entry for each setting, by its field in TypeScript. */
export function bySamplingField<Value>(toValue: (row: SamplingRow) => Value): Record<SamplingField, Value> {
  return Object.fromEntries(samplingRows.map((row) => [row.field, toValue(row)])) as Record<SamplingField, Value>
}

/** The names of the settings with a value, by those of configs: `{ topP: 0.9 }` is `{ top_p: 0.9 }`. */
export function namedSampling(given: Partial<Sampling>): Partial<Record<SamplingName, number>> {
  return Object.fromEntries(samplingRows.flatMap(({ name, field }) => (given[field] === undefined ? [] : [[name, given[field]]])))
}

/** What a setting is called in requests to OpenAI-compatible servers; undefined if they have no such field. */
export function requestName({ wire }: SamplingSetting): string | undefined {
  return wire.openai ?? wire.vllm
}

/** What LMDeploy calls the settings for which it has a name of its own. */
export const lmdeployNames: readonly { name: SamplingName; theirs: string }[] = samplingRows.flatMap(({ name, wire: { lmdeploy } }) =>
  lmdeploy === undefined || lmdeploy === name ? [] : [{ name, theirs: lmdeploy }],
)
