import type { Model } from '@rolecall/core/internal/model'
import type { ReplySyntax, SyntaxName } from '@rolecall/core/internal/reply'

/** What is known about a model besides its files. */
export type LoadModelOptions = {
  /** Template variables of every prompt, such as `enable_thinking`. */
  variables?: Readonly<Record<string, unknown>>
  /** How replies are written; by default it is derived from the format. */
  replySyntax?: SyntaxName | ReplySyntax
  /** Relative paths start here; by default in the working folder. */
  folder?: string
}

/** How a local model is opened. */
export type OpenLocalModelOptions = {
  /** How its prompts are written, if not as the model itself says: what `defineModel` or `loadModel` returns. */
  model?: Model
  /** Relative paths start here; by default in the working folder. */
  folder?: string
}
