import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { bodyOf } from '@rolecall/core/internal/format'
import type { GenerateOptions } from '../language-model/language-model.ts'
import { requestName, type Sampling, samplingRows } from '../language-model/sampling-settings.ts'
import { unsupportedSetting } from '../language-model/unsupported-setting.ts'

/** A completion's prompt as it is sent: its text, or its ids. */
export type Sent = { text: string } | { ids: readonly number[] }

export type BodyFields = Readonly<Record<string, unknown>>

/** The fields of a request to generate, by the API's names; `min_tokens` and `stop_token_ids` are vLLM's. */
export function generationFields(
  model: string,
  { maxTokens, minTokens = 0, sampling = {} }: GenerateOptions,
  stops: { texts: readonly string[]; ids: readonly number[] },
  stream: boolean,
): BodyFields {
  return {
    model,
    max_tokens: maxTokens,
    ...(minTokens > 0 ? { min_tokens: minTokens } : {}),
    ...samplingFields(sampling, model),
    ...(stops.texts.length > 0 ? { stop: stops.texts } : {}),
    ...(stops.ids.length > 0 ? { stop_token_ids: stops.ids } : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
}

/** Only what is set: servers refuse unknown fields. The temperature is always sent, since the server's default is 1. */
function samplingFields(sampling: Partial<Sampling>, model: string): BodyFields {
  const given: Partial<Sampling> = { temperature: 0, ...sampling }
  return Object.fromEntries(
    samplingRows.flatMap((row) => {
      const value = given[row.field]
      if (value === undefined || (row.omitsNeutral && value === row.neutral)) return []
      const name = requestName(row)
      if (name === undefined) throw unsupportedSetting(row.name, model, 'OpenAI-compatible servers have no such field')
      return [[name, value]]
    }),
  )
}

/** The JSON of a request: the prompt and the options. */
export function requestJson(said: string, fields: string): string {
  return `{${said},${fields}`
}

/** The options as the rest of a request; the user's fields win, and null removes a field. `mergedKeys`: objects that are merged. */
export function fieldsJson(fields: BodyFields, extra: BodyFields, mergedKeys: readonly string[] = []): string {
  const merged: Record<string, unknown> = { ...fields, ...extra }
  for (const key of mergedKeys) {
    if (!isObject(fields[key]) || !isObject(extra[key])) continue
    merged[key] = withoutNulls({ ...fields[key], ...extra[key] })
  }
  return JSON.stringify(withoutNulls(merged)).slice(1)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  for (const key in fields) if (fields[key] === null || fields[key] === undefined) delete fields[key]
  return fields
}

export function saidInCompletion(sent: Sent): string {
  return `"prompt":${JSON.stringify('ids' in sent ? sent.ids : sent.text)}`
}

/** A prompt as text; throws if it contains token ids or media. Tokens that the tokenizer adds are left to the server. */
export function textToSend(prompt: Prompt & { kind: 'completion' }, where: string): string {
  for (const piece of prompt.pieces) {
    if ('text' in piece || ('ids' in piece && piece.source.by === 'tokenizer')) continue
    throw new PromptError('ids-in-text', {
      where,
      problem:
        'media' in piece
          ? `the prompt contains ${piece.media.kind === 'image' ? 'an image' : piece.media.kind}`
          : 'the prompt contains token ids but is sent as text',
      fix:
        'media' in piece
          ? 'use a format that gives messages'
          : "set tokenizer_path to the model's own tokenizer, so that all of it is sent as ids",
    })
  }
  return bodyOf(prompt)
}
