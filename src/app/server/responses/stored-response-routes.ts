import { type PyValue, stringifyJson } from '../../../base/python/index.ts'
import { ApiError } from '../api-error.ts'
import { fieldOf } from '../exact-values.ts'
import type { ClientResponses, KeptResponse } from './response-memory.ts'

/** GET /v1/responses/ID: a response that is kept. */
export function keptRoute(memory: ClientResponses, id: string): Response {
  return Response.json(findKept(memory, id).response)
}

/** DELETE /v1/responses/ID */
export function forgetRoute(memory: ClientResponses, id: string): Response {
  findKept(memory, id)
  memory.forget(id)
  return Response.json({ id, object: 'response', deleted: true })
}

/** GET /v1/responses/ID/input_items: what it was asked, the latest item first. */
export function inputItemsRoute(memory: ClientResponses, id: string): Response {
  const { input } = findKept(memory, id)
  const data = input.map(
    (item, index): PyValue => ({ id: fieldOf(item, 'id') ?? `${id}_input_${index}`, type: 'message', ...asObject(item) }),
  )
  const ids = data.map((item) => fieldOf(item, 'id') ?? null)
  const list = { object: 'list', data: data.reverse(), has_more: false, first_id: ids.at(-1) ?? null, last_id: ids[0] ?? null }
  return new Response(stringifyJson(list, { ensureAscii: false }), { headers: { 'content-type': 'application/json; charset=utf-8' } })
}

function asObject(item: PyValue): { [key: string]: PyValue } {
  return item instanceof Map ? (Object.fromEntries(item) as { [key: string]: PyValue }) : (item as { [key: string]: PyValue })
}

function findKept(memory: ClientResponses, id: string): KeptResponse {
  const kept = memory.find(id)
  if (kept) return kept
  throw new ApiError(404, { message: `there is no response "${id}"; only the latest are kept`, code: 'response_not_found' })
}
