import type { ChatMessage } from '../../prompt/conversation/chat-message.ts'
import type { Trust } from '../../prompt/conversation/message-fields.ts'
import type { Format } from '../../prompt/format/format.ts'
import type { GenerateOptions, LanguageModel } from '../language-model/language-model.ts'
import type { ModelSettings } from '../model-types/model-settings.ts'
import type { ReplySyntax, SyntaxName } from '../reply/index.ts'
import type { AgentTool } from './agent-tool.ts'
import type { HistoryOptions } from './fit-history.ts'
import type { Interpreter } from './interpreter.ts'

/** What `runAgent` needs: the model and its format, the tools and the interpreter it may use, and how far it may go. */
export type AgentOptions = {
  model: LanguageModel
  /** The model's format: a shipped one by its name, a model's config, or a format that is there already. */
  format: string | ModelSettings | Format
  messages: readonly ChatMessage[]
  tools?: readonly AgentTool[]
  /** Runs the model's code. Formats without an interpreter of their own are given it as a tool called `python`. */
  interpreter?: Interpreter
  /** How often the model may speak; 10 by default. */
  maxTurns?: number
  signal?: AbortSignal
  /** How the model writes calls; by default what its config (`reply_syntax`) or its format says. */
  syntax?: SyntaxName | ReplySyntax
  /** The most tokens of a reply (1,024 by default), sampling, further stops. */
  generation?: Partial<Omit<GenerateOptions, 'signal' | 'onText'>>
  /** What is left out when the chat outgrows the model's context. */
  history?: HistoryOptions
  /**
   * Which of `messages` may bring the ids that the model generated, as in a chat that goes on with the messages of an earlier result;
   * none by default. What the model says from here on always goes back as its ids.
   */
  trustsIds?: Trust['trustsIds']
}
