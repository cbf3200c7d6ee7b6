import { PromptError } from '../base/errors/prompt-error.ts'
import type { Format } from '../prompt/format/format.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import type { ReplySyntax, SyntaxName } from '../reply/index.ts'

/**
 * A model as prompts and replies need it: the format of its chats, its tokenizer, and how it writes replies. It is data; `renderPrompt`,
 * `parseReply` and `countTokens` take it.
 */
export type Model = {
  /** For errors and notes. */
  readonly name: string
  /** How chats are written, compiled. */
  readonly format: Format
  readonly tokenizer?: Tokenizer | undefined
  /** How replies are written, where the definition says so; by default it is derived from the format. */
  readonly replySyntax?: SyntaxName | ReplySyntax | undefined
}

/** Programs without types pass anything, a definition or a chat among it. */
export function checkModel(model: Model, where: string): void {
  if (typeof (model as Partial<Model> | undefined)?.format?.render === 'function') return
  throw new PromptError('wrong-type', { where, problem: 'this is not a model', fix: 'give what defineModel or loadModel returns' })
}
