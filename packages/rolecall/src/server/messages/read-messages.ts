import { isDict, isList, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { bySamplingName } from '../../model/language-model/sampling-settings.ts'
import { badField } from '../api-error.ts'
import type { ChatSettings } from '../chat/chat-request.ts'
import type { RequestedChat } from '../chat/requested-chat.ts'
import type { Thinking } from '../chat/thinking-kwargs.ts'
import { contentOf, functionTool, hostedToolProblem, joinedTexts, type PlacedMessage } from '../converted-chat.ts'
import { exactField, exactFields } from '../exact-fields.ts'
import type { RequestBody } from '../read-body.ts'
import { constraintOf, responseFormatOf } from '../response-format.ts'
import type { MessagesFields, MessagesRequest } from './messages-request.ts'
import { readAssistantBlocks, readUserBlocks, referencedTools } from './read-blocks.ts'
import { readPart } from './read-part.ts'

const formatPlaces = { format: 'output_config.format', schema: 'output_config.format.schema' }

/** Reads a request in Anthropic's protocol as a chat. */
export function readMessages({ fields, exact }: RequestBody<MessagesRequest>): RequestedChat {
  const { settings, ...chat } = readMessagesPrompt({ fields, exact })
  const { max_tokens, stop_sequences: stop, output_config } = fields
  return {
    ...chat,
    settings: { ...settings, ...bySamplingName(({ name }) => fields[name]), max_tokens, stop },
    constraint: constraintOf({ response_format: responseFormatOf(output_config?.format) }, formatPlaces),
  }
}

/** Reads as much of it as the prompt depends on. */
export function readMessagesPrompt({ fields: request, exact }: RequestBody<MessagesFields>): RequestedChat {
  const { messages = [], system, tools = [] } = exactFields(exact, ['messages', 'system', 'tools'])
  const problems: string[] = []
  const placed = [
    ...readSystem(system, problems),
    ...(messages as readonly PyValue[]).flatMap((one, index) => readMessage(one, index, problems)),
  ]
  const chatTools = readTools(tools as readonly PyValue[], messages as readonly PyValue[], problems)
  return {
    settings: {
      model: request.model,
      tools: chatTools as ChatSettings['tools'],
      continue_final_message: request.messages.at(-1)?.role === 'assistant',
      ...toolChoice(request, chatTools),
    },
    exact: { messages: placed.map(({ message }) => message), tools: chatTools, thinking: thinkingOf(request) },
    places: placed.map(({ place }) => place),
    problems,
  }
}

function readSystem(system: PyValue | undefined, problems: string[]): PlacedMessage[] {
  if (system === undefined) return []
  const content = isList(system)
    ? contentOf(joinedTexts(system.flatMap((block, index) => readPart(block, `system[${index}]`, problems))))
    : (system as string)
  return content === '' ? [] : [{ message: { role: 'system', content }, place: 'system' }]
}

function readMessage(message: PyValue, index: number, problems: string[]): PlacedMessage[] {
  const place = `messages[${index}]`
  const role = exactField(message, 'role') as string
  const content = exactField(message, 'content')
  if (!isList(content)) return [{ message: { role, content: content as string }, place }]
  return role === 'assistant' ? readAssistantBlocks(content, place, problems) : readUserBlocks(role, content, place, problems)
}

/**
 * Converts tools; those without a schema can only be run by Anthropic. Deferred tools are shown once a search has found them, after all others:
 * what the prompt says before them stays the same.
 */
function readTools(tools: readonly PyValue[], messages: readonly PyValue[], problems: string[]): PyDict[] {
  const shown: PyDict[] = []
  const deferred = new Map<string, PyDict>()
  let hasHostedSearch = false
  tools.forEach((tool, index) => {
    const type = exactField(tool, 'type') ?? 'custom'
    if (type !== 'custom' || !isDict(tool)) {
      hasHostedSearch ||= typeof type === 'string' && type.startsWith('tool_search_tool')
      problems.push(hostedToolProblem(`tools[${index}]`, type))
      return
    }
    const schema = exactField(tool, 'input_schema')
    if (!isDict(schema)) throw badField(`tools[${index}].input_schema`, 'expected a JSON Schema')
    const name = exactField(tool, 'name')
    if (exactField(tool, 'defer_loading') === true && typeof name === 'string') deferred.set(name, functionTool(tool, schema))
    else shown.push(functionTool(tool, schema))
  })
  // Nothing can find them if the vendor's server was to search.
  if (hasHostedSearch) return [...shown, ...deferred.values()]
  for (const name of referencedTools(messages)) {
    const tool = deferred.get(name)
    if (tool) shown.push(tool)
    deferred.delete(name)
  }
  if (deferred.size > 0)
    problems.push(`tools: ${[...deferred.keys()].join(', ')} are deferred: not shown until a tool_reference names them`)
  return shown
}

function toolChoice(
  { tool_choice: choice }: MessagesFields,
  tools: readonly PyDict[],
): Pick<ChatSettings, 'tool_choice' | 'parallel_tool_calls'> {
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
