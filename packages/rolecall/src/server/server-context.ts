import type { ModelReply } from '../model/language-model/language-model.ts'
import type { PromptThread } from './prompts/prompt-thread.ts'
import type { ClientResponses } from './responses/response-memory.ts'
import type { ServedModel } from './served-model.ts'
import type { ServerLimits } from './server-limits.ts'

/** Notified about the replies of a request, for metrics. */
export type ReplyObserver = {
  /** The first token of a reply. */
  first(model: string, milliseconds: number): void
  /** A complete reply; a prompt with several replies is counted with the first. */
  reply(model: string, tokens: ModelReply['tokens']): void
}

/** Shared by all routes. */
export type ServerContext = {
  models: readonly ServedModel[]
  /** Builds what would block the event loop. */
  prompts?: PromptThread | undefined
  limits: ServerLimits
  /** The client of the request: its key's name, or its address. Clients take turns. */
  client: string
  /** The client's earlier responses from `/v1/responses`. */
  responses: ClientResponses
  observer: ReplyObserver
  /** For requests without a seed. */
  randomSeed: () => number
  /** Removes what a client changes in its system text with every request. */
  stablePrefix: boolean
  /** Receives what was changed in the prompts of a conversation, once for each kind. */
  note: (text: string) => void
  /** Milliseconds since 1970. */
  now: () => number
  log: (text: string) => void
  /** Logs an error unless it is the client's fault. */
  failed: (error: unknown) => void
}
