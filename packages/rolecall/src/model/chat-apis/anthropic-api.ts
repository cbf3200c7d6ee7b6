import type { Constraint } from '@rolecall/core/internal/constrain'
import { PromptError } from '@rolecall/core/internal/errors'
import type { OpenAISettings } from '../openai/openai-settings.ts'
import type { WireApi } from '../openai/wire-api.ts'
import { anthropicChat, type SignedBlocks } from './anthropic-messages.ts'
import { anthropicReader } from './anthropic-reader.ts'
import { ignoredSettings, sampledFields } from './ignored-settings.ts'
import { RememberedCalls } from './remembered-calls.ts'

const title = "Anthropic's Messages API"

const naming: Pick<WireApi, 'title' | 'nameOf'> = { title, nameOf: ({ wire }) => wire.messages }

/**
 * Anthropic's Messages API.
 * @see https://platform.claude.com/docs/en/api/messages/create
 */
export function anthropicApi(): WireApi {
  const signed = new RememberedCalls<SignedBlocks>()
  return {
    ...naming,
    url: 'https://api.anthropic.com/v1',
    urlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    // The variable holds an address without the version.
    baseOf: (url) => withEnd(url.replace(/\/messages$/, ''), '/v1'),
    headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }),
    takesText: false,
    path: () => '/messages',
    mostStops: () => Number.POSITIVE_INFINITY,
    // It refuses stops that are only white space.
    takesStop: (text) => text.trim() !== '',
    mergedKeys: ['output_config'],
    habits: { lengthField: '', streamOptions: false, omitted: [] },
    chat: (prompt) => anthropicChat(prompt, signed),
    fields({ options, stops, stream, habits: { omitted }, settings }) {
      const { reasoning = {}, model } = settings
      const format = options.constraint && formatOf(options.constraint, settings)
      const config = { ...(reasoning.effort === undefined ? {} : { effort: reasoning.effort }), ...(format ? { format } : {}) }
      return {
        model,
        max_tokens: options.maxTokens,
        ...sampledFields(options, naming, omitted),
        ...(stops.sent.texts.length > 0 && !omitted.includes('stop') ? { stop_sequences: stops.sent.texts } : {}),
        ...(reasoning.tokens === undefined ? {} : { thinking: thinkingOf(reasoning.tokens) }),
        ...(Object.keys(config).length > 0 ? { output_config: config } : {}),
        ...(stream ? { stream: true } : {}),
        ...options.forwarded,
      }
    },
    ignored: (options) => ignoredSettings(options, naming),
    checkConstraint: (constraint, settings) => void formatOf(constraint, settings),
    reader: () => anthropicReader(signed),
  }
}

function thinkingOf(tokens: number): object {
  return tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budget_tokens: tokens }
}

function formatOf(constraint: Constraint, { name }: OpenAISettings): object {
  if (constraint.kind === 'json-schema') return { type: 'json_schema', schema: constraint.schema }
  throw new PromptError('cannot-constrain', {
    where: name,
    problem: `${title} constrains replies only to JSON of a schema`,
    fix: 'ask for JSON of a schema, or use a model on another server',
  })
}

/** An address that ends in a version. */
export function withEnd(url: string, version: string): string {
  const base = url.replace(/\/+$/, '')
  return /\/v\d+\w*$/.test(base) ? base : `${base}${version}`
}
