// `@rolecall/core/datasets`: the prompts of a dataset's rows, by prompt templates as OpenCompass describes them, with examples that fit.

export { compilePrompt, compilePromptIn } from './prompt/compile/compile-prompt.ts'
export { countWords } from './prompt/compile/fit/count-words.ts'
export { type FitOptions, type Fitted, fitExamples } from './prompt/compile/fit/fit-examples.ts'
export { fitWindow, type WindowChat, type WindowDecision, type WindowOptions, windowChat } from './prompt/compile/fit/fit-window.ts'
export type { PreparedPrompt } from './prompt/compile/prepare-prompt.ts'
export type { PromptMaker, RenderedPrompt } from './prompt/compile/prompt-maker.ts'
export type { PromptSettings } from './prompt/conversation/prompt-settings.ts'
export type { Question } from './prompt/conversation/question.ts'
export type { Row } from './prompt/conversation/row.ts'
export type { FormatSettings } from './prompt/format/format-schema.ts'
