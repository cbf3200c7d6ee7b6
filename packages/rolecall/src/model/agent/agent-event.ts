import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import type { ModelReply } from '../language-model/language-model.ts'
import type { CodeOutput } from './interpreter.ts'
import type { Transcript } from './transcript.ts'

/** A call that the model has made; `arguments` as plain JavaScript values. */
export type AgentCall = { id: string; name: string; arguments: unknown; argumentsText: string }

/** The events of an agent run: the model's text, its calls, and their results. */
export type AgentEvent =
  /** The next prompt. */
  | { type: 'prompt'; turn: number; prompt: Prompt }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | ({ type: 'call' } & AgentCall)
  | { type: 'code'; id: string; code: string; language?: string }
  /** Output of running code, as it arrives. */
  | { type: 'output'; id: string; output: CodeOutput }
  /** What is sent to the model; `ok: false` if the call could not be run or failed. */
  | { type: 'result'; id: string; name: string; content: string; ok: boolean }
  | { type: 'image'; id: string; path: string; mime: string; data: Uint8Array }
  /** What is wrong; `sentToModel`: the model gets it as well. */
  | { type: 'problem'; problem: string; sentToModel: boolean }
  | { type: 'note'; note: Note }
  /** A message that was added to the conversation. */
  | { type: 'message'; message: ChatMessage }
  | { type: 'done'; result: AgentResult }

/**
 * Why the run ended: `answer`: the model made no more calls; `calls`: the caller has to answer a call; `max-turns`; `length`: the reply was
 * truncated where it might have continued; `aborted`; `stuck`: the next prompt would have been identical.
 */
export type EndReason = 'answer' | 'calls' | 'max-turns' | 'length' | 'aborted' | 'stuck'

/** The result of an agent run: why it ended, the final text, and the whole conversation. */
export type AgentResult = {
  reason: EndReason
  /** The model's last text. */
  text: string
  /** The whole conversation, including the given messages. */
  messages: readonly ChatMessage[]
  /** Calls without results; provide them as messages with the role `tool`. */
  pending: readonly AgentCall[]
  /** How many of the oldest messages (after the system messages) no longer fit and are not sent. */
  dropped: number
  /** The number of model turns, and their tokens. */
  turns: number
  tokens: ModelReply['tokens']
  transcript: Transcript
}
