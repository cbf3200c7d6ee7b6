import type { Model } from '@rolecall/core/internal/model'
import type { ReplySyntax, SyntaxName } from '@rolecall/core/internal/reply'

/** What is known about a model besides its files. */
export type LoadModelOptions = {
  /** Template variables of every prompt, such as `enable_thinking`. */
  variables?: Readonly<Record<string, unknown>>
  /** How replies are read; by default by the model's own response template, else as derived from the format. `derived` ignores a response template. */
  replySyntax?: SyntaxName | ReplySyntax | 'derived'
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
