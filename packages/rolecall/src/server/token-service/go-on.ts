import { continueChat } from '@rolecall/core/internal/masks'
import type { PyValue } from '@rolecall/core/internal/python'
import type { z } from 'zod'
import { badField } from '../api-error.ts'
import type { chatToRender } from '../chat/chat-prompt.ts'
import type { PromptModel } from '../served-model.ts'
import { checkedIds, tokenizerOf } from './checked-ids.ts'
import type { chatRenderRequest } from './token-protocol.ts'

type Request = z.output<typeof chatRenderRequest>

/** What goes on from the ids of a chat: those to send, and what the answer tells; without ids, the rendered ones are sent. */
type Going = { ids?: readonly number[]; told: object }

/** The ids of a chat whose last reply was sampled: those seen so far, and what follows. */
export function goOn(
  previous: NonNullable<Request['previous']>,
  request: Request,
  { maker: { format }, messages, tools }: ReturnType<typeof chatToRender>,
  served: PromptModel,
): Going {
  refuseOtherEnds(request)
  const promptIds = checkedIds(previous.token_ids, served, 'previous.token_ids')
  const replyIds = checkedIds(previous.completion_token_ids, served, 'previous.completion_token_ids')
  const place = messages.findLastIndex(({ role }) => role === 'assistant')
  const reply = messages[place]
  if (reply === undefined) throw badField('previous', 'the messages have no reply that its ids could be', 'unsupported')
  const chat = { messages: messages.slice(0, place), tools: tools as readonly PyValue[] | undefined, promptIds, replyIds }
  const next = messages.slice(place + 1)
  const result = continueChat(chat, reply, next, { format, tokenizer: tokenizerOf(served), rewrites: 'as-seen' })
  if (!result.isAppended) return { told: { fork: result.why } }
  return { ids: result.ids, told: { departures: result.departures ?? [] } }
}

/** What follows a reply ends where the model speaks next. */
function refuseOtherEnds(request: Request): void {
  const { continue_final_message: continues, add_generation_prompt: opens, tool_choice: choice } = request
  const refuse = (field: string, why: string) =>
    badField(field, `${why}, which cannot go on from previous ids; leave one of them out`, 'unsupported')
  if (continues) throw refuse('continue_final_message', 'the prompt would end inside the last message')
  if (opens === false) throw refuse('add_generation_prompt', 'the prompt would end behind the last message')
  if (choice === 'required' || typeof choice === 'object') throw refuse('tool_choice', 'a forced call begins the reply')
}
