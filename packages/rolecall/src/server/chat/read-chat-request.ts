import type { z } from 'zod'
import { checkChoices } from '../choice-limits.ts'
import type { RequestBody } from '../read-body.ts'
import { constraintOf } from '../response-format.ts'
import type { ServerLimits } from '../server-limits.ts'

import { exactChatOf } from './chat-prompt.ts'
import type { ChatSettings, chatRequest } from './chat-request.ts'
import { customNames } from './custom-calls.ts'
import type { RequestedChat } from './requested-chat.ts'

/** Reads a chat in OpenAI's protocol; others are converted into it. */
export function readChat({ fields, exact }: RequestBody<z.output<typeof chatRequest>>, limits: ServerLimits): RequestedChat {
  checkChoices(1, fields.n ?? 1, limits)
  const chat = exactChatOf(exact)
  const custom = customNames(fields.tools ?? [])
  const prefilled = fields.continue_final_message ?? isPrefill(fields.messages.at(-1))
  const settings = {
    ...fields,
    continue_final_message: prefilled,
    ...(custom.size > 0 ? { tools: chat.tools as ChatSettings['tools'] } : {}),
  }
  return { settings, exact: chat, constraint: constraintOf(fields), places: [], custom, problems: grammarProblems(fields.tools ?? []) }
}

/** DeepSeek's and Kimi's marks for a message of the assistant that is the beginning of its reply. */
function isPrefill(last: { role: string; prefix?: unknown; partial?: unknown } | undefined): boolean {
  return last?.role === 'assistant' && (last.prefix === true || last.partial === true)
}

function grammarProblems(tools: readonly object[]): string[] {
  return tools.flatMap((tool, index) => {
    const { custom } = tool as { custom?: { format?: { type?: unknown } } }
    return custom?.format?.type === 'grammar'
      ? [`tools[${index}].custom.format: the model was shown the grammar, but it is not enforced`]
      : []
  })
}
