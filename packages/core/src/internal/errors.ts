// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../base/errors/attempt.ts'
export * from '../base/errors/check.ts'
export * from '../base/errors/check-options.ts'
export * from '../base/errors/core-notes.ts'
export * from '../base/errors/limits.ts'
export * from '../base/errors/nearest.ts'
export * from '../base/errors/note.ts'
export * from '../base/errors/note-table.ts'
export * from '../base/errors/prompt-error.ts'
export * from '../base/errors/secrets.ts'
export * from '../base/errors/unpack-budget.ts'
export * from '../base/errors/zstd-blocks.ts'
