// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../masks/chat-text.ts'
export * from '../masks/continue-chat.ts'
export * from '../masks/end-of-turn.ts'
export * from '../masks/format-writer.ts'
export * from '../masks/mask.ts'
export * from '../masks/model-turns.ts'
export * from '../masks/next-turn.ts'
export * from '../masks/policy.ts'
export * from '../masks/training-row.ts'
export * from '../masks/training-text.ts'
