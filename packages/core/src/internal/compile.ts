// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../prompt/compile/chat-maker.ts'
export * from '../prompt/compile/chat-of-row.ts'
export * from '../prompt/compile/compile-chat.ts'
export * from '../prompt/compile/compile-prompt.ts'
export * from '../prompt/compile/fit/count-words.ts'
export * from '../prompt/compile/fit/fit-examples.ts'
export * from '../prompt/compile/fit/fit-window.ts'
export * from '../prompt/compile/fit/prompt-counter.ts'
export * from '../prompt/compile/prepare-chat.ts'
export * from '../prompt/compile/prepare-prompt.ts'
export * from '../prompt/compile/prompt-maker.ts'
export * from '../prompt/compile/prompt-sources.ts'
