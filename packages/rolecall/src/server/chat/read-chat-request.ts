import type { z } from 'zod'
import { checkChoices } from '../choice-limits.ts'
import type { RequestBody } from '../read-body.ts'
import { constraintOf } from '../response-format.ts'
import type { ServerLimits } from '../server-limits.ts'

import { exactChatOf } from './chat-prompt.ts'
import type { chatRequest } from './chat-request.ts'
import type { RequestedChat } from './requested-chat.ts'

/** Reads a chat in OpenAI's protocol; others are converted into it. */
export function readChat({ fields, exact }: RequestBody<z.output<typeof chatRequest>>, limits: ServerLimits): RequestedChat {
  checkChoices(1, fields.n ?? 1, limits)
  return { settings: fields, exact: exactChatOf(exact), constraint: constraintOf(fields), places: [], problems: [] }
}
