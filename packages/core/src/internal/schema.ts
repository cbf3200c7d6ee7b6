// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../base/schema/issue.ts'
export * from '../base/schema/own-entry.ts'
export * from '../base/schema/schema.ts'
