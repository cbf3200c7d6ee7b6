import type { PyValue } from '@rolecall/core/internal/python'
import { bySamplingName } from '../../model/language-model/sampling-settings.ts'
import { ApiError, badField } from '../api-error.ts'
import type { ChatSettings } from '../chat/chat-request.ts'
import type { RequestedChat } from '../chat/requested-chat.ts'
import { exactField, exactFields, exactText } from '../exact-fields.ts'
import type { RequestBody } from '../read-body.ts'
import { constraintOf, responseFormatOf } from '../response-format.ts'
import { chooseResponseTools } from './choose-response-tools.ts'
import { type PlacedItem, readInputItems, readToolItems } from './read-input-items.ts'
import type { ClientResponses, StoredResponse } from './response-memory.ts'
import { ResponseTools } from './response-tools.ts'
import type { ResponsesFields, ResponsesRequest } from './responses-request.ts'

/** A request of the Responses API as a chat. */
export type RequestedResponse = RequestedChat & {
  /** What its tools are to the client. */
  offered: ResponseTools
  /** Items of the previous responses, and of this request. */
  before: readonly PyValue[]
  input: readonly PyValue[]
  previous: StoredResponse | undefined
}

const formatPlaces = { format: 'text.format', schema: 'text.format.schema' }

/** Reads a request of the Responses API as a chat. */
export function readResponses({ fields, exact }: RequestBody<ResponsesRequest>, memory: ClientResponses): RequestedResponse {
  const { settings, problems, ...chat } = readResponsesPrompt({ fields, exact }, memory)
  const { max_output_tokens: max_tokens, text } = fields
  const unused = text?.verbosity ? [`text.verbosity: "${text.verbosity}" has no effect`] : []
  return {
    ...chat,
    settings: { ...settings, ...bySamplingName(({ name }) => fields[name]), max_tokens },
    constraint: constraintOf({ response_format: responseFormatOf(text?.format) }, formatPlaces),
    problems: [...problems, ...unused],
  }
}

/** Reads as much of it as the prompt depends on. */
export function readResponsesPrompt(
  { fields: request, exact: body }: RequestBody<ResponsesFields>,
  memory: ClientResponses,
): RequestedResponse {
  const exact = exactFields(body, ['input', 'instructions', 'tools'])
  const problems: string[] = []
  const previous = findPrevious(request.previous_response_id, memory)
  const before = previous ? [...previous.before, ...previous.input, ...previous.response.output] : []
  const isText = typeof exact.input === 'string'
  const given = isText ? [{ role: 'user', content: exact.input! }] : (exact.input as readonly PyValue[])
  if (before.length + given.length > mostItems) throw tooManyItems(before.length)
  const input = given.map((item, index) => resolveReference(item, `input[${index}]`, memory))
  const items = [
    ...before.map((item, index): PlacedItem => ({ item, place: `previous_response_id › item ${index}` })),
    ...input.map((item, index): PlacedItem => ({ item, place: isText ? 'input' : `input[${index}]` })),
  ]
  const offered = new ResponseTools(problems)
  offered.add((exact.tools ?? []) as readonly PyValue[], 'tools')
  readToolItems(items, offered)
  const placed = readInputItems(items, { tools: offered, problems })
  const { instructions } = exact
  if (typeof instructions === 'string' && instructions !== '')
    placed.unshift({ message: { role: 'system', content: instructions }, place: 'instructions' })
  if (placed.length === 0) throw badField('input', problems[0] ?? 'there is nothing to answer', 'unsupported')
  const { tools, ...choice } = chooseResponseTools(request, offered)
  const effort = request.reasoning?.effort ?? undefined
  return {
    settings: {
      model: request.model,
      tools: tools as ChatSettings['tools'],
      ...(isUnfinished(items.at(-1)) ? { continue_final_message: true } : {}),
      ...choice,
    },
    exact: { messages: placed.map(({ message }) => message), tools, ...(effort === undefined ? {} : { thinking: { effort } }) },
    places: placed.map(({ place }) => place),
    problems,
    offered,
    before,
    input,
    previous,
  }
}

/** An answer that was cut off is continued; a finished one is history. */
function isUnfinished(last: PlacedItem | undefined): boolean {
  return exactField(last?.item, 'role') === 'assistant' && exactField(last?.item, 'status') === 'incomplete'
}

/** With those of previous responses, which a short request can name. */
const mostItems = 5000

function tooManyItems(before: number): ApiError {
  const message = `the chat has more than ${mostItems} items, ${before} of them from previous responses; continue with fewer`
  return new ApiError(413, { message, code: 'request_too_complex' })
}

function findPrevious(id: string | null | undefined, memory: ClientResponses): StoredResponse | undefined {
  if (id === undefined || id === null) return undefined
  const previous = memory.find(id)
  if (previous) return previous
  throw new ApiError(400, {
    message: `previous_response_id: response "${id}" not found; only recent responses without store: false are kept. Send its items as input instead`,
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  })
}

/** Replaces a reference by the item of an earlier response. */
function resolveReference(item: PyValue, place: string, memory: ClientResponses): PyValue {
  // `type` is optional for references, which have nothing but an id.
  const type = exactField(item, 'type')
  if (type !== 'item_reference' && (type !== undefined || exactField(item, 'role') !== undefined)) return item
  const id = exactText(item, 'id', place)
  const found = memory.findItem(id)
  if (found) return found
  throw new ApiError(400, {
    message: `${place}: item "${id}" not found; only items of recent responses are kept. Send the item itself instead`,
    param: place,
    code: 'item_not_found',
  })
}
