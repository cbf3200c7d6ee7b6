import { BadReply } from '../openai/http/http-client.ts'
import type { Server } from '../openai/http/model-server.ts'
import { countIn, field, parsed } from '../openai/server-reply-part.ts'
import type { BatchApi, BatchStatus } from './batch-api.ts'

/**
 * OpenAI's Batch API: requests are uploaded as a file.
 * @see https://platform.openai.com/docs/api-reference/batch
 */
export const openaiBatches: BatchApi = {
  title: "OpenAI's Batch API",
  most: { requests: 50_000, bytes: 190_000_000 },
  async create(control, path, requests, mark) {
    const url = `/v1${path}`
    const lines = requests.map(({ id, body }) => `{"custom_id":${JSON.stringify(id)},"method":"POST","url":"${url}","body":${body}}\n`)
    const file = await upload(control, lines, mark)
    const batch = { input_file_id: file, endpoint: url, completion_window: '24h', metadata: { rolecall: mark } }
    const made = await post(control, '/batches', JSON.stringify(batch))
    return idIn(made)
  },
  async list(control) {
    return get(control, '/batches?limit=100', (list) =>
      listIn(list).map((batch) => {
        const mark = field(field(batch, 'metadata'), 'rolecall')
        return {
          id: idIn(batch),
          created: countIn(batch, 'created_at') * 1000,
          total: countIn(field(batch, 'request_counts'), 'total'),
          mark: typeof mark === 'string' ? mark : undefined,
        }
      }),
    )
  },
  async status(control, id) {
    return get(control, `/batches/${encodeURIComponent(id)}`, statusOf)
  },
  readLine(line) {
    const value = parsed(line, 'an error of one request')
    const id = field(value, 'custom_id')
    if (typeof id !== 'string') throw new BadReply(`a result has no custom_id: ${line.slice(0, 200)}`)
    const response = field(value, 'response')
    const error = field(value, 'error')
    const code = field(error, 'code')
    if (code === 'batch_expired') return { id, without: 'expired' }
    if (code === 'batch_cancelled') return { id, without: 'cancelled' }
    if (response === undefined) return { id, status: 500, body: JSON.stringify({ error: error ?? 'it has no response' }) }
    return { id, status: countIn(response, 'status_code') || 500, body: JSON.stringify(field(response, 'body') ?? null) }
  },
}

function statusOf(batch: unknown): BatchStatus {
  const state = field(batch, 'status')
  const counts = field(batch, 'request_counts')
  const [done, failed, total] = ['completed', 'failed', 'total'].map((key) => countIn(counts, key)) as [number, number, number]
  const files = ['output_file_id', 'error_file_id'].map((key) => field(batch, key))
  const places = files.flatMap((file) => (typeof file === 'string' && file !== '' ? [`/files/${encodeURIComponent(file)}/content`] : []))
  const common = { done: done + failed, total, places }
  switch (state) {
    case 'completed':
      return { ...common, state: 'ended', missing: 'missing' }
    case 'expired':
      return { ...common, state: 'ended', missing: 'expired' }
    case 'cancelled':
      return { ...common, state: 'ended', missing: 'cancelled' }
    case 'failed': {
      const errors = field(field(batch, 'errors'), 'data')
      const message = field(Array.isArray(errors) ? errors[0] : undefined, 'message')
      return { ...common, state: 'failed', problem: typeof message === 'string' ? message : 'it failed', missing: 'missing' }
    }
    case 'validating':
    case 'in_progress':
    case 'finalizing':
    case 'cancelling':
      return { ...common, state: 'running', missing: 'missing' }
    default:
      throw new BadReply(`the batch has an unknown status: ${JSON.stringify(state ?? null).slice(0, 100)}`)
  }
}

async function upload(control: Server, lines: readonly string[], mark: string): Promise<string> {
  const boundary = `rolecall-${mark}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${mark}.jsonl"\r\ncontent-type: application/jsonl\r\n\r\n`
  const body = () => Promise.resolve(new TextEncoder().encode(`${head}${lines.join('')}\r\n--${boundary}--\r\n`))
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  // A file costs nothing: it may be sent twice.
  return control.send({ path: '/files', body, headers, tokens: 0 }, async (reply) => idIn(parsed(await reply.text())))
}

/** Sends a request that must not be sent twice. */
export function post(control: Server, path: string, body: string): Promise<unknown> {
  return control.send({ path, body, tokens: 0, isOnce: true }, async (reply) => parsed(await reply.text()))
}

/** A reply that `read` rejects with a `BadReply` is requested again. */
export function get<Result>(control: Server, path: string, read: (value: unknown) => Result): Promise<Result> {
  return control.send({ path, method: 'GET', tokens: 10_000 }, async (reply) => read(parsed(await reply.text())))
}

/** The batches of a list. A reply without them must not pass for an empty list: a batch that is not found is submitted again. */
export function listIn(value: unknown): unknown[] {
  const data = field(value, 'data')
  if (!Array.isArray(data)) throw new BadReply(`its answer is no list of batches: ${JSON.stringify(value).slice(0, 200)}`)
  return data
}

export function idIn(value: unknown): string {
  const id = field(value, 'id')
  if (typeof id !== 'string' || id === '') throw new BadReply(`its answer has no id: ${JSON.stringify(value).slice(0, 200)}`)
  return id
}
