import { dictEntries, dictFromEntries, isDict, isList, type PyDict, type PyValue } from '../../../base/python/index.ts'
import { ApiError } from '../api-error.ts'
import type { ExactChat } from '../chat/chat-prompt.ts'
import type { ChatFields } from '../chat/chat-request.ts'
import type { Thinking } from '../chat/thinking-kwargs.ts'
import { contentOf, type PlacedMessage } from '../converted-chat.ts'
import { fieldOf } from '../exact-values.ts'
import { exactFields } from '../read-body.ts'
import type { MessagesFields } from './messages-request.ts'
import { readAssistantBlocks, readPart, readUserBlocks } from './read-blocks.ts'

/** A request of Anthropic's shape as every chat is asked. */
export type ReadMessages = {
  fields: ChatFields
  exact: ExactChat
  /** Where each message of the chat stands in the request. */
  places: readonly string[]
  /** What of the request was left out. */
  problems: readonly string[]
}

/** Reads what decides the prompt. `body`: the request as it was sent, since every digit of it may stand in the prompt. */
export function readMessages(request: MessagesFields, body: string): ReadMessages {
  const { messages = [], system, tools = [] } = exactFields(body, ['messages', 'system', 'tools'])
  const problems: string[] = []
  const placed = [...readSystem(system), ...(messages as readonly PyValue[]).flatMap((one, index) => readOne(one, index, problems))]
  const chosen = readTools(tools as readonly PyValue[], problems)
  const last = request.messages.at(-1)
  const exact = { messages: placed.map(({ message }) => message), tools: chosen, thinking: thinkingOf(request) }
  const fields: ChatFields = {
    model: request.model,
    messages: exact.messages as unknown as ChatFields['messages'],
    tools: chosen as ChatFields['tools'],
    continue_final_message: last?.role === 'assistant',
    ...choiceOf(request, chosen),
  }
  return { fields, exact, places: placed.map(({ place }) => place), problems }
}

function readSystem(system: PyValue | undefined): PlacedMessage[] {
  if (system === undefined) return []
  const content = isList(system) ? contentOf(system.map((block, index) => readPart(block, `system[${index}]`))) : (system as string)
  return content === '' ? [] : [{ message: { role: 'system', content }, place: 'system' }]
}

function readOne(message: PyValue, index: number, problems: string[]): PlacedMessage[] {
  const place = `messages[${index}]`
  const role = fieldOf(message, 'role') as string
  const content = fieldOf(message, 'content')
  if (!isList(content)) return [{ message: { role, content: content as string }, place }]
  return role === 'assistant' ? [readAssistantBlocks(content, place, problems)] : readUserBlocks(role, content, place, problems)
}

/** Tools as the formats know them. What has no schema is run by Anthropic itself, and by nobody here. */
function readTools(tools: readonly PyValue[], problems: string[]): PyDict[] {
  return tools.flatMap((tool, index) => {
    const type = fieldOf(tool, 'type') ?? 'custom'
    if (type !== 'custom' || !isDict(tool)) {
      problems.push(`tools[${index}]: tools of the type "${String(type)}" cannot be run here, so the model was not told of it`)
      return []
    }
    const schema = fieldOf(tool, 'input_schema')
    if (!isDict(schema)) {
      const param = `tools[${index}].input_schema`
      throw new ApiError(400, { message: `${param}: this must be a JSON Schema`, param, code: 'invalid_value' })
    }
    const own = dictEntries(tool).filter(([key, value]) => (key === 'name' || key === 'description') && value !== null)
    return [{ type: 'function', function: dictFromEntries([...own, ['parameters', schema]]) }]
  })
}

function choiceOf(
  { tool_choice: choice }: MessagesFields,
  tools: readonly PyDict[],
): Pick<ChatFields, 'tool_choice' | 'parallel_tool_calls'> {
  if (!choice) return {}
  const { type, name = '', disable_parallel_tool_use: single } = choice
  const parallel = single === true ? { parallel_tool_calls: false } : {}
  switch (type) {
    case 'tool':
      return { tool_choice: { type: 'function', function: { name } }, ...parallel }
    case 'any':
      return { tool_choice: 'required', ...parallel }
    case 'none':
      return { tool_choice: 'none' }
    default:
      return tools.length === 0 ? {} : { tool_choice: 'auto', ...parallel }
  }
}

function thinkingOf({ thinking, output_config: config }: MessagesFields): Thinking {
  return {
    ...(thinking ? { isOn: thinking.type !== 'disabled' } : {}),
    ...(config?.effort ? { effort: config.effort } : {}),
  }
}
