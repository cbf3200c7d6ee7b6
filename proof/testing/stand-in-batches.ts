import { z } from 'zod'
import type { Scripted, Seen } from './scripted-server.ts'
import { anthropicMessage, anthropicRequest } from './strict-apis.ts'

// The batch endpoints of OpenAI and Anthropic, which refuse every field that their references do not have.

type Outcome = 'ok' | 'error' | 'expired' | 'cancelled' | 'refused'

export type StandInOptions = {
  /** How often a batch is in progress when it is asked for. */
  polls: number
  /** How many submissions are accepted without an answer. */
  breaks?: number
  /** What becomes of a request, by its place in its batch and the place of the batch. */
  outcome?: (request: number, batch: number) => Outcome
  /** In place of the status of a batch that has ended. */
  status?: unknown
  /** In place of its results. */
  lines?: readonly string[]
}

type Batch = {
  id: string
  requests: { custom_id: string; body: { messages: { content: string }[] } }[]
  polls: number
  created: Date
  mark?: string
}

const id = z.string().regex(/^[\w-]{1,64}$/)
const openaiBody = z.strictObject({
  model: z.string(),
  messages: z.array(z.strictObject({ role: z.literal('user'), content: z.string() })),
  max_tokens: z.int(),
  temperature: z.number(),
})
const openaiLine = z.strictObject({ custom_id: id, method: z.literal('POST'), url: z.literal('/v1/chat/completions'), body: openaiBody })
const openaiBatch = z.strictObject({
  input_file_id: z.string(),
  endpoint: z.literal('/v1/chat/completions'),
  completion_window: z.literal('24h'),
  metadata: z.strictObject({ rolecall: z.string().max(512) }),
})
const anthropicBatch = z.strictObject({ requests: z.array(z.strictObject({ custom_id: id, params: anthropicRequest })).min(1) })

/** The answers of a stand-in, and what was submitted to it. */
export function standInBatches(service: 'openai' | 'anthropic', options: StandInOptions) {
  const { polls, outcome = () => 'ok' } = options
  let breaks = options.breaks ?? 0
  let isFinished = false
  const batches: Batch[] = []
  const files = new Map<string, Batch['requests']>()

  function submit(requests: Batch['requests'], mark?: string): Scripted {
    if (new Set(requests.map(({ custom_id }) => custom_id)).size !== requests.length) throw new Error('custom_id is not unique')
    const batch = { id: `batch_${batches.length}`, requests, polls: 0, created: new Date(), mark }
    batches.push(batch)
    if (breaks-- > 0) return (response) => void response.destroy()
    return { json: shown(batch, false) }
  }

  function shown(batch: Batch, isEnded: boolean) {
    const number = batches.indexOf(batch)
    const outcomes = batch.requests.map((_, index) => outcome(index, number))
    const count = (...which: Outcome[]) => outcomes.filter((one) => which.includes(one)).length
    if (service === 'anthropic')
      return {
        id: batch.id,
        type: 'message_batch',
        processing_status: isEnded ? 'ended' : 'in_progress',
        request_counts: {
          processing: isEnded ? 0 : batch.requests.length,
          succeeded: isEnded ? count('ok') : 0,
          errored: isEnded ? count('error', 'refused') : 0,
          canceled: isEnded ? count('cancelled') : 0,
          expired: isEnded ? count('expired') : 0,
        },
        created_at: batch.created.toISOString(),
        ended_at: isEnded ? batch.created.toISOString() : null,
        results_url: isEnded ? `http://127.0.0.1/v1/messages/batches/${batch.id}/results` : null,
      }
    const status = count('cancelled') > 0 ? 'cancelled' : count('expired') > 0 ? 'expired' : 'completed'
    return {
      id: batch.id,
      object: 'batch',
      status: isEnded ? status : 'in_progress',
      created_at: Math.floor(batch.created.getTime() / 1000),
      request_counts: { total: batch.requests.length, completed: isEnded ? count('ok') : 0, failed: isEnded ? count('error') : 0 },
      output_file_id: isEnded ? `out_${number}` : null,
      error_file_id: isEnded && count('ok') < batch.requests.length ? `err_${number}` : null,
      metadata: { rolecall: batch.mark },
    }
  }

  function results(batch: Batch, isWanted: (outcome: Outcome) => boolean): Scripted {
    const number = batches.indexOf(batch)
    const lines = batch.requests.flatMap((request, index) => {
      const became = outcome(index, number)
      return isWanted(became) ? [JSON.stringify(lineOf(request, became))] : []
    })
    // In another order than the requests.
    return { text: (options.lines ?? lines.reverse()).map((line) => `${line}\n`).join('') }
  }

  function lineOf({ custom_id, body }: Batch['requests'][number], became: Outcome) {
    const text = `${body.messages.at(-1)!.content}!`
    if (service === 'anthropic') {
      const failed = (type: string) => ({ type: 'errored', error: { type: 'error', error: { type, message: 'no' } } })
      const result = {
        ok: { type: 'succeeded', message: anthropicMessage([{ type: 'text', text }]) },
        error: failed('api_error'),
        refused: failed('invalid_request_error'),
        expired: { type: 'expired' },
        cancelled: { type: 'canceled' },
      }[became]
      return { custom_id, result }
    }
    const error = { code: `batch_${became}`, message: became }
    if (became === 'expired' || became === 'cancelled') return { id: 'r', custom_id, response: null, error }
    const message = {
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 2 },
    }
    const status = { ok: 200, error: 500, refused: 400 }[became]
    return {
      id: 'r',
      custom_id,
      response: { status_code: status, request_id: 'q', body: became === 'ok' ? message : { error: { message: 'no' } } },
      error: null,
    }
  }

  function answer({ method, path, body, headers }: Seen): Scripted {
    const place = path.replace('/v1', '')
    const [, batchId = ''] = /(batch_\d+)/.exec(place) ?? []
    const batch = batches.find((one) => one.id === batchId)
    if (service === 'anthropic' && headers['anthropic-version'] === undefined) throw new Error('no version')
    if (method === 'POST' && place === '/files') {
      if (!headers['content-type']?.startsWith('multipart/form-data; boundary=')) throw new Error('no form')
      const [, , file = ''] = body.split('content-disposition')
      const lines = file.split('\r\n\r\n')[1]!.split('\r\n')[0]!.trim().split('\n')
      const name = `file_${files.size}`
      files.set(
        name,
        lines.map((line) => openaiLine.parse(JSON.parse(line))),
      )
      return { json: { id: name, object: 'file', purpose: 'batch' } }
    }
    if (method === 'POST' && place === '/batches') {
      const { input_file_id, metadata } = openaiBatch.parse(JSON.parse(body))
      const requests = files.get(input_file_id)
      return requests ? submit(requests, metadata.rolecall) : { status: 400, json: { error: { message: `no file ${input_file_id}` } } }
    }
    if (method === 'POST' && place === '/messages/batches') {
      const { requests } = anthropicBatch.parse(JSON.parse(body))
      return submit(requests.map(({ custom_id, params }) => ({ custom_id, body: params as Batch['requests'][number]['body'] })))
    }
    if (method === 'GET' && /\/batches\?limit=100$/.test(place)) return { json: { data: batches.map((one) => shown(one, false)) } }
    if (method === 'GET' && place.startsWith('/files/')) {
      const file = batches[Number(/_(\d+)\/content$/.exec(place)?.[1] ?? -1)]
      if (!file) return { status: 404, json: { error: { message: `no file ${place}` } } }
      return results(file, (became) => (place.includes('out_') ? became === 'ok' : became !== 'ok'))
    }
    if (method === 'GET' && batch && place.endsWith('/results')) return results(batch, () => true)
    if (method === 'GET' && batch) {
      const isEnded = ++batch.polls > polls || isFinished
      if (isEnded && options.status !== undefined)
        return typeof options.status === 'string' ? { text: options.status } : { json: options.status }
      return { json: shown(batch, isEnded) }
    }
    return { status: 404, json: { error: { message: `no ${method} ${path}` } } }
  }

  /** Ends all batches, whatever `polls` says. */
  function finish(): void {
    isFinished = true
  }

  return { answer, batches, finish }
}
