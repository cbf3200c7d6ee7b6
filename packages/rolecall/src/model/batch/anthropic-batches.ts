import { dictGet, isDict, stringifyJson } from '@rolecall/core/internal/python'
import { BadReply } from '../openai/http/http-client.ts'
import { countIn, field, isObject, parsed, parsedExactly } from '../openai/server-reply-part.ts'
import type { BatchApi, BatchStatus } from './batch-api.ts'
import { get, idIn, listIn, post } from './openai-batches.ts'

const counted = ['processing', 'succeeded', 'errored', 'canceled', 'expired'] as const

/**
 * Anthropic's Message Batches: requests are sent in one body.
 * @see https://platform.claude.com/docs/en/api/messages/batches/create
 */
export const anthropicBatches: BatchApi = {
  title: "Anthropic's Message Batches",
  most: { requests: 100_000, bytes: 240_000_000 },
  async create(control, _path, requests) {
    const listed = requests.map(({ id, body }) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`)
    return idIn(await post(control, '/messages/batches', `{"requests":[${listed.join(',')}]}`))
  },
  async list(control) {
    return get(control, '/messages/batches?limit=100', (list) =>
      listIn(list).map((batch) => ({
        id: idIn(batch),
        created: Date.parse(String(field(batch, 'created_at'))),
        total: totalOf(batch),
        mark: undefined,
      })),
    )
  },
  async status(control, id) {
    return get(control, `/messages/batches/${encodeURIComponent(id)}`, (batch) => statusOf(id, batch))
  },
  readLine(line) {
    const value = parsed(line)
    const [id, result] = [field(value, 'custom_id'), field(value, 'result')]
    if (typeof id !== 'string' || !isObject(result)) throw new BadReply(`a line is no result: ${line.slice(0, 200)}`)
    return { id, ...readResult(result, line) }
  },
}

function readResult(
  result: Record<string, unknown>,
  line: string,
): { status: number; body: string } | { without: 'expired' | 'cancelled' } {
  switch (result.type) {
    case 'succeeded':
      try {
        return { status: 200, body: exactMessage(line) }
      } catch (error) {
        if (!(error instanceof BadReply)) throw error
        return { status: 500, body: JSON.stringify({ error: error.message }) }
      }
    case 'expired':
      return { without: 'expired' }
    case 'canceled':
      return { without: 'cancelled' }
    default: {
      // `{ "type": "error", "error": { "type": …, "message": … } }`
      const error = field(result, 'error')
      const type = field(field(error, 'error') ?? error, 'type')
      return { status: statuses[String(type)] ?? 500, body: JSON.stringify(error ?? null) }
    }
  }
}

/** The message as the service wrote it: arguments of calls keep their digits. */
function exactMessage(line: string): string {
  const value = parsedExactly(line)
  const result = isDict(value) ? dictGet(value, 'result') : undefined
  return stringifyJson((isDict(result) ? dictGet(result, 'message') : undefined) ?? null, { ensureAscii: false })
}

/** The statuses of errors outside of batches. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
}

function totalOf(batch: unknown): number {
  const counts = field(batch, 'request_counts')
  return counted.reduce((sum, key) => sum + countIn(counts, key), 0)
}

function statusOf(id: string, batch: unknown): BatchStatus {
  const state = field(batch, 'processing_status')
  const total = totalOf(batch)
  const done = total - countIn(field(batch, 'request_counts'), 'processing')
  if (state === 'in_progress' || state === 'canceling') return { state: 'running', done, total, places: [], missing: 'missing' }
  if (state !== 'ended') throw new BadReply(`the batch has an unknown status: ${JSON.stringify(state ?? null).slice(0, 100)}`)
  // Results are deleted after 29 days, and may come later than the end.
  const isGone = field(batch, 'results_url') === undefined
  return { state: 'ended', done, total, places: isGone ? [] : [`/messages/batches/${encodeURIComponent(id)}/results`], missing: 'missing' }
}
