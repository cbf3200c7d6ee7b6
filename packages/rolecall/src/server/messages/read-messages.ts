import type { PyDict } from '@rolecall/core/internal/python'
import { bySamplingName } from '../../model/language-model/sampling-settings.ts'
import type { ChatSettings } from '../chat/chat-request.ts'
import type { RequestedChat } from '../chat/requested-chat.ts'
import type { Thinking } from '../chat/thinking-kwargs.ts'
import { exactFields } from '../exact-fields.ts'
import type { RequestBody } from '../read-body.ts'
import { constraintOf, responseFormatOf } from '../response-format.ts'
import { chatOfMessages } from './anthropic-chat.ts'
import type { MessagesFields, MessagesRequest } from './messages-request.ts'

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
  const { placed, tools: chatTools } = chatOfMessages({ messages, system, tools }, problems)
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
