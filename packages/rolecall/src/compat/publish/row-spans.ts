import { pyStr } from '@rolecall/core/internal/python'
import { isFailure } from '../../evaluation/run/record/row-record.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import type { Pair } from '../../evaluation/run/run-pairs.ts'

type Value = { stringValue: string } | { doubleValue: number } | { intValue: string } | { arrayValue: { values: Value[] } }
type Attribute = { key: string; value: Value }

/** The names of the conventions for types of models that are not theirs. */
const providers: Readonly<Record<string, string>> = { openai: 'openai', anthropic: 'anthropic', google: 'gcp.gemini' }

/** The place of a span: its trace and its parent, as hexadecimal numbers. */
type SpanPlace = { traceId: string; spanId: string; parentSpanId?: string }

/** A span that ended at a time, in milliseconds since 1970, after it had taken this long. */
type SpanTime = { end: number; milliseconds: number }

/**
 * The requests of a row as a span of OpenTelemetry's conventions for generative AI. Without `content`, it has no text of prompts and
 * answers.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function rowSpan({ model, name, inferencer }: Pair, record: RowRecord, place: SpanPlace, time: SpanTime, content: boolean) {
  const requested = String(model.path ?? name.model)
  const operation = inferencer.scoresChoices ? 'text_completion' : 'chat'
  const { tokens, finish, error, score, prediction, prompts } = record
  const finishes = [finish].flat().filter((one) => one !== undefined)
  const server = typeof model.base_url === 'string' && URL.canParse(model.base_url) ? new URL(model.base_url) : undefined
  return {
    ...spanOf(`${operation} ${requested}`, place, time),
    // CLIENT
    kind: 3,
    attributes: [
      text('gen_ai.operation.name', operation),
      text('gen_ai.provider.name', providers[String(model.type ?? 'openai')] ?? String(model.type)),
      text('gen_ai.request.model', requested),
      ...(server
        ? [text('server.address', server.hostname), ...(server.port === '' ? [] : [whole('server.port', Number(server.port))])]
        : []),
      ...(tokens.unreported ? [] : [whole('gen_ai.usage.input_tokens', tokens.prompt), whole('gen_ai.usage.output_tokens', tokens.reply)]),
      ...(finishes.length === 0
        ? []
        : [
            {
              key: 'gen_ai.response.finish_reasons',
              value: { arrayValue: { values: finishes.map((one) => ({ stringValue: String(one) })) } },
            },
          ]),
      text('rolecall.dataset', name.dataset),
      whole('rolecall.row.id', record.id),
      ...(score === undefined || !Number.isFinite(score) ? [] : [{ key: 'rolecall.score', value: { doubleValue: score } }]),
      ...(error === undefined ? [] : [text('error.type', isFailure(record) ? 'request_failed' : 'not_scored')]),
      ...(content ? contentOf(prediction, prompts) : []),
    ] satisfies Attribute[],
    ...(error === undefined ? {} : { status: { code: 2, ...(content ? { message: error } : {}) } }),
  }
}

function contentOf(prediction: RowRecord['prediction'], prompts: RowRecord['prompts']): Attribute[] {
  const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
  return [
    ...(prompts === undefined
      ? []
      : [text('gen_ai.input.messages', message('user', typeof prompts === 'string' ? prompts : JSON.stringify(prompts)))]),
    ...(prediction === null ? [] : [text('gen_ai.output.messages', message('assistant', pyStr(prediction)))]),
  ]
}

/** The span that contains those of all rows. */
export function runSpan(name: string, place: SpanPlace, time: SpanTime, exitCode: number) {
  return {
    ...spanOf(`rolecall run ${name}`, place, time),
    // INTERNAL
    kind: 1,
    attributes: [whole('rolecall.exit_code', exitCode)],
    ...(exitCode === 0 ? {} : { status: { code: 2 } }),
  }
}

function spanOf(name: string, place: SpanPlace, { end, milliseconds }: SpanTime) {
  const nano = (time: number) => `${BigInt(Math.round(time * 1000)) * 1000n}`
  return { ...place, name, startTimeUnixNano: nano(end - milliseconds), endTimeUnixNano: nano(end) }
}

/** The body of a request to `/v1/traces` of an OTLP collector. */
export function tracesRequest(spans: readonly object[], version: string) {
  const resource = { attributes: [text('service.name', 'rolecall'), text('service.version', version)] }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'rolecall', version }, spans }] }] }
}

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } }
}

function whole(key: string, value: number): Attribute {
  return { key, value: { intValue: String(value) } }
}
