import type { PyValue } from '../../../base/python/index.ts'
import { ApiError } from '../api-error.ts'
import type { ExactChat } from '../chat/chat-prompt.ts'
import type { ChatFields } from '../chat/chat-request.ts'
import { fieldOf, textAt } from '../exact-values.ts'
import { exactFields } from '../read-body.ts'
import { type PlacedItem, readItems } from './read-items.ts'
import { chooseTools, readTools } from './read-tools.ts'
import type { ClientResponses, KeptResponse } from './response-memory.ts'
import type { ResponsesFields } from './responses-request.ts'

/** A request of the Responses API as every chat is asked. */
export type ReadResponses = {
  fields: ChatFields
  exact: ExactChat
  /** Where each message of the chat stands in the request. */
  places: readonly string[]
  /** What of the request was left out. */
  problems: string[]
  /** The tools that are called with any text. */
  custom: ReadonlySet<string>
  /** What was said before, and what is asked now, as items. */
  before: readonly PyValue[]
  input: readonly PyValue[]
  previous: KeptResponse | undefined
}

/** Reads what decides the prompt. `body`: the request as it was sent, since every digit of it may stand in the prompt. */
export function readResponses(request: ResponsesFields, body: string, memory: ClientResponses): ReadResponses {
  const exact = exactFields(body, ['input', 'instructions', 'tools'])
  const problems: string[] = []
  const previous = findPrevious(request.previous_response_id, memory)
  const before = previous ? [...previous.before, ...previous.input, ...previous.response.output] : []
  const input = (typeof exact.input === 'string' ? [{ role: 'user', content: exact.input }] : (exact.input as readonly PyValue[])).map(
    (item, index) => resolve(item, `input[${index}]`, memory),
  )
  const placed = readItems([
    ...before.map((item, index): PlacedItem => ({ item, place: `previous_response_id › item ${index}` })),
    ...input.map((item, index): PlacedItem => ({ item, place: typeof exact.input === 'string' ? 'input' : `input[${index}]` })),
  ])
  const { instructions } = exact
  if (typeof instructions === 'string' && instructions !== '')
    placed.unshift({ message: { role: 'system', content: instructions }, place: 'instructions' })
  const read = readTools((exact.tools ?? []) as readonly PyValue[], problems)
  const { tools, ...choice } = chooseTools(request, read)
  const messages = placed.map(({ message }) => message)
  const effort = request.reasoning?.effort ?? undefined
  return {
    fields: {
      model: request.model,
      messages: messages as unknown as ChatFields['messages'],
      tools: tools as ChatFields['tools'],
      ...choice,
    },
    exact: { messages, tools, ...(effort === undefined ? {} : { thinking: { effort } }) },
    places: placed.map(({ place }) => place),
    problems,
    custom: read.custom,
    before,
    input,
    previous,
  }
}

function findPrevious(id: string | null | undefined, memory: ClientResponses): KeptResponse | undefined {
  if (id === undefined || id === null) return undefined
  const previous = memory.find(id)
  if (previous) return previous
  throw new ApiError(400, {
    message: `previous_response_id: there is no response "${id}"; only the latest are kept, and none that was sent with store: false. Send its items as input instead`,
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  })
}

/** An item that is only named is the one that a response put out. */
function resolve(item: PyValue, place: string, memory: ClientResponses): PyValue {
  // Only a reference may have nothing but an id.
  const isReference =
    fieldOf(item, 'type') === 'item_reference' || (fieldOf(item, 'type') === undefined && fieldOf(item, 'role') === undefined)
  if (!isReference) return item
  const id = textAt(item, 'id', place)
  const found = memory.findItem(id)
  if (found) return found
  throw new ApiError(400, {
    message: `${place}: there is no item "${id}"; only those of the latest responses are kept. Send the item itself instead`,
    param: place,
    code: 'item_not_found',
  })
}
