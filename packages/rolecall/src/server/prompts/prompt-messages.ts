import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { OpenedPrompt, RenderSettings } from '../chat/chat-prompt.ts'
import type { PackedPrompt } from './packed-prompt.ts'

/** A served model as far as its prompts depend on it; its config has no functions. */
export type PromptModelSource = {
  name: string
  config: ModelConfig
  /** The base folder of paths in the config. */
  folder: string
  context?: number
  /** It has an upstream server. */
  forwards: boolean
}

/** The ids of a prompt. */
export type EncodedPrompt = {
  ids: Int32Array
  /** Start and end of each token in the prompt's text. */
  spans: Int32Array
  /** The first token of the piece that was asked for; their number if there is none. */
  first: number
}

/** A question to the thread that builds prompts. Chats are sent as `toMessage` writes them. */
export type PromptThreadQuestion =
  | { kind: 'open'; model: string }
  | { kind: 'render'; model: string; settings: RenderSettings; chat: unknown }
  /** `from`: the piece whose first token is wanted. */
  | { kind: 'encode'; model: string; prompt: PackedPrompt; from: number }
  /** The lines of a model's chat template that rewrite earlier text. */
  | { kind: 'rewriting-lines'; model: string }
  /** A route that only builds prompts. */
  | { kind: 'route'; path: string; body: string }

/** The thread's answer. Errors are sent by their fields, because structured cloning loses the class. */
export type PromptAnswer =
  | { kind: 'opened' }
  | { kind: 'rendered'; rendered: OpenedPrompt }
  | { kind: 'encoded'; encoded: EncodedPrompt }
  | { kind: 'rewriting-lines'; lines: readonly string[] }
  | { kind: 'response'; status: number; body: string }
  | { kind: 'api-error'; status: number; message: string; param?: string | undefined; code?: string | undefined }
  | { kind: 'prompt-error'; code: string; where: string; problem: string; fix: string }
  | { kind: 'failed'; message: string }
