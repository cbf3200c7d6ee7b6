import type { PublishedPair, PublishedRow, PublishedRun } from './published-run.ts'

type Attribute = { key: string; value: { stringValue: string } | { doubleValue: number } | { intValue: string } }

/** A row's score as an event `gen_ai.evaluation.result` of OpenTelemetry's conventions, without prompt or reply. */
export function evaluationEvent({ result }: PublishedPair, { record }: PublishedRow, { started }: PublishedRun) {
  const { score, error, outcome } = record
  const time = `${BigInt(Date.parse(started)) * 1_000_000n}`
  return {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    eventName: 'gen_ai.evaluation.result',
    severityNumber: error === undefined ? 9 : 17,
    attributes: [
      text('gen_ai.evaluation.name', result.metric),
      ...(score === undefined ? [] : [{ key: 'gen_ai.evaluation.score.value', value: { doubleValue: score } }]),
      ...(score === undefined || result.kind !== 'verdict' ? [] : [text('gen_ai.evaluation.score.label', score === 1 ? 'right' : 'wrong')]),
      ...(error === undefined ? [] : [text('error.type', typeof outcome === 'string' ? outcome : 'failed')]),
      text('gen_ai.request.model', result.model),
      text('rolecall.dataset', result.dataset),
      ...(result.format === undefined ? [] : [text('rolecall.format', result.format)]),
      { key: 'rolecall.row.id', value: { intValue: String(record.id) } },
      text('rolecall.row.hash', record.row_hash),
      text('rolecall.prompt.hash', record.prompt_hash),
    ] satisfies Attribute[],
  }
}

/** The body of a request to `/v1/logs` of an OTLP collector. */
export function logsRequest(events: readonly ReturnType<typeof evaluationEvent>[], { version }: PublishedRun) {
  return {
    resourceLogs: [
      {
        resource: { attributes: [text('service.name', 'rolecall'), text('service.version', version)] },
        scopeLogs: [{ scope: { name: 'rolecall', version }, logRecords: events }],
      },
    ],
  }
}

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } }
}
