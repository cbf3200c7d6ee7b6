import type { Constraint } from '@rolecall/core/internal/constrain'
import { PromptError } from '@rolecall/core/internal/errors'
import type { OpenAISettings, Reasoning } from '../openai/openai-settings.ts'
import type { WireApi } from '../openai/wire-api.ts'
import { withEnd } from './anthropic-api.ts'
import { type GoogleCall, googleChat } from './google-contents.ts'
import { googleReader } from './google-reader.ts'
import { ignoredSettings, sampledFields } from './ignored-settings.ts'
import { RememberedCalls } from './remembered-calls.ts'

const title = "Gemini's API"

const naming: Pick<WireApi, 'title' | 'nameOf'> = { title, nameOf: ({ wire }) => wire.google }

/**
 * Gemini's generateContent.
 * @see https://ai.google.dev/api/generate-content
 */
export function googleApi(): WireApi {
  const known = new RememberedCalls<GoogleCall>()
  return {
    ...naming,
    url: 'https://generativelanguage.googleapis.com/v1beta',
    urlVariable: 'GOOGLE_GEMINI_BASE_URL',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    baseOf: (url) => withEnd(url, '/v1beta'),
    headers: (key): Readonly<Record<string, string>> => (key === undefined ? {} : { 'x-goog-api-key': key }),
    takesText: false,
    path: (_, model, stream) => `/${placeOf(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    mostStops: () => 5,
    takesStop: (text) => text !== '',
    mergedKeys: ['generationConfig'],
    habits: { lengthField: '', streamOptions: false, omitted: [] },
    chat: (prompt, { model }) => googleChat(prompt, model, known),
    fields({ options, stops, habits: { omitted }, settings }) {
      const generationConfig = {
        maxOutputTokens: options.maxTokens,
        ...sampledFields(options, naming, omitted),
        ...(stops.sent.texts.length > 0 && !omitted.includes('stop') ? { stopSequences: stops.sent.texts } : {}),
        ...(settings.reasoning ? { thinkingConfig: thinkingOf(settings.reasoning) } : {}),
        ...(options.constraint ? formatOf(options.constraint, settings) : {}),
      }
      return { generationConfig, ...options.forwarded }
    },
    ignored: (options) => ignoredSettings(options, naming),
    checkConstraint: (constraint, settings) => void formatOf(constraint, settings),
    reader: () => googleReader(known),
  }
}

/** `models/NAME` and `tunedModels/NAME` are whole; the name goes into the path. */
function placeOf(model: string): string {
  const place = /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`
  return place.split('/').map(encodeURIComponent).join('/')
}

function thinkingOf({ effort, tokens }: Reasoning): object {
  return {
    ...(effort === undefined ? {} : { thinkingLevel: effort }),
    ...(tokens === undefined ? {} : { thinkingBudget: tokens }),
    ...(tokens === 0 ? {} : { includeThoughts: true }),
  }
}

function formatOf(constraint: Constraint, { name }: OpenAISettings): object {
  if (constraint.kind === 'json-schema') return { responseMimeType: 'application/json', responseJsonSchema: constraint.schema }
  if (constraint.kind === 'json-object') return { responseMimeType: 'application/json' }
  if (constraint.kind === 'choice') return { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: constraint.choices } }
  throw new PromptError('cannot-constrain', {
    where: name,
    problem: `${title} constrains replies only to JSON and to a choice of texts`,
    fix: 'ask for JSON of a schema, or use a model on another server',
  })
}
