import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { ApiError } from '../api-error.ts'
import { exactField } from '../exact-fields.ts'
import type { ClientResponses, StoredResponse } from './response-memory.ts'

/** GET /v1/responses/ID: a stored response. */
export function getResponseRoute(memory: ClientResponses, id: string): Response {
  return Response.json(findStored(memory, id).response)
}

/** DELETE /v1/responses/ID */
export function deleteResponseRoute(memory: ClientResponses, id: string): Response {
  findStored(memory, id)
  memory.forget(id)
  return Response.json({ id, object: 'response', deleted: true })
}

/** GET /v1/responses/ID/input_items: its input, the latest item first. */
export function inputItemsRoute(memory: ClientResponses, id: string): Response {
  const { input } = findStored(memory, id)
  const data = input.map(
    (item, index): PyValue => ({ id: exactField(item, 'id') ?? `${id}_input_${index}`, type: 'message', ...asObject(item) }),
  )
  const ids = data.map((item) => exactField(item, 'id') ?? null)
  const list = { object: 'list', data: data.reverse(), has_more: false, first_id: ids.at(-1) ?? null, last_id: ids[0] ?? null }
  return new Response(stringifyJson(list, { ensureAscii: false }), { headers: { 'content-type': 'application/json; charset=utf-8' } })
}

function asObject(item: PyValue): { [key: string]: PyValue } {
  return item instanceof Map ? (Object.fromEntries(item) as { [key: string]: PyValue }) : (item as { [key: string]: PyValue })
}

function findStored(memory: ClientResponses, id: string): StoredResponse {
  const stored = memory.find(id)
  if (stored) return stored
  throw new ApiError(404, { message: `response "${id}" not found; only recent responses are kept`, code: 'response_not_found' })
}
