import type { Note } from '../../base/errors/note.ts'
import type { ChatMessage } from '../../prompt/conversation/chat-message.ts'
import type { Prompt } from '../../prompt/format/format.ts'
import type { ModelReply } from '../language-model/language-model.ts'
import type { CodeOutput } from './interpreter.ts'
import type { Transcript } from './transcript.ts'

/** A call that the model has made; `arguments` as plain JavaScript values. */
export type AgentCall = { id: string; name: string; arguments: unknown; argumentsText: string }

/** What happens while a model works: what it says, what it calls, what comes back. */
export type AgentEvent =
  /** What the model is sent next. */
  | { type: 'prompt'; turn: number; prompt: Prompt }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | ({ type: 'call' } & AgentCall)
  | { type: 'code'; id: string; code: string; language?: string }
  /** Something that running code prints, as it comes. */
  | { type: 'output'; id: string; output: CodeOutput }
  /** What is sent to the model; `ok: false` if the call could not be run or failed. */
  | { type: 'result'; id: string; name: string; content: string; ok: boolean }
  | { type: 'image'; id: string; path: string; mime: string; data: Uint8Array }
  /** What is wrong; `told`: the model is informed as well. */
  | { type: 'problem'; problem: string; told: boolean }
  | { type: 'note'; note: Note }
  /** A message that the conversation has grown by. */
  | { type: 'message'; message: ChatMessage }
  | { type: 'done'; result: AgentResult }

/**
 * Why it ended: `answer`: the model had nothing more to do; `calls`: a call waits for somebody else; `max-turns`; `length`: the
 * reply was cut where it might have gone on; `aborted`; `stuck`: the next prompt would have been the same again.
 */
export type EndReason = 'answer' | 'calls' | 'max-turns' | 'length' | 'aborted' | 'stuck'

/** How an agent ended: why, with which words, and the whole conversation. */
export type AgentResult = {
  reason: EndReason
  /** What the model said last. */
  text: string
  /** The whole conversation, with what was given. */
  messages: readonly ChatMessage[]
  /** Calls that wait for their results; give them as messages of the role `tool`. */
  pending: readonly AgentCall[]
  /** How many of the oldest messages (behind those of the system) no longer fit, and are not sent. */
  dropped: number
  /** How many times the model spoke, and its tokens. */
  turns: number
  tokens: ModelReply['tokens']
  transcript: Transcript
}
