import type { Constraint } from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import { noteRow } from '../../node/notes/all-notes.ts'
import { ApiError, toApiError } from '../api-error.ts'
import type { ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import type { ChatPrompt, ExactChat } from './chat-prompt.ts'
import type { ChatSettings } from './chat-request.ts'

/** A request for a reply to a conversation, whatever its protocol. */
export type RequestedChat = {
  settings: ChatSettings
  exact: ExactChat
  /** What the whole reply must be. */
  constraint?: Constraint | undefined
  /** The path in the request of each message, if it is not `messages[N]`. */
  places: readonly string[]
  /** Names of the custom tools of a chat in OpenAI's shape. */
  custom?: ReadonlySet<string>
  /** What was removed so that the prompt of its conversation only grows. */
  stabilized?: readonly string[]
  /** Parts of the request that have no effect. */
  problems: readonly string[]
}

/** A chat ready to be answered: its model was found, its prompt and the constraint on its reply were built. */
export type OpenedChat = { server: ServerContext; served: ServedModel; requested: RequestedChat; chatPrompt: ChatPrompt }

/** Runs work on a chat; errors name paths in the original request. */
export async function withPlaces<Result>(places: readonly string[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const apiError = toApiError(error)
    if (apiError.status >= 500) throw error
    const { status, message, param, code, type, headers } = apiError
    const details = { message: relocate(message, places), code, type, headers }
    throw new ApiError(status, param === undefined ? details : { ...details, param: relocate(param, places) })
  }
}

/** Reported to the client, if there are any: ignored parts of its request, and problems of the reply. */
export function problemsOf({ requested, chatPrompt }: OpenedChat, problems: readonly string[]): readonly string[] | undefined {
  const changes = chatPrompt.prompt.notes.filter(isForClient).map(({ where, text }) => `${where}: ${text}`)
  const all = [
    ...requested.problems,
    ...[...(requested.stabilized ?? []), ...changes, ...problems].map((text) => relocate(text, requested.places)),
  ]
  return all.length === 0 ? undefined : all
}

/** A part of the request is lost, or was rewritten for the model's format. */
export function isForClient({ code }: Note): boolean {
  const row = noteRow(code)
  return row?.isLoss === true || row?.isStep === true
}

/** Replaces `messages[N]` by the path in the original request. */
function relocate(text: string, places: readonly string[]): string {
  return text.replace(/\bmessages\[(\d+)\]/g, (all, index: string) => places[Number(index)] ?? all)
}
