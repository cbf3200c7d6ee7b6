// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../constrain/check-arguments.ts'
export * from '../constrain/compile-constraint.ts'
export * from '../constrain/constraint.ts'
export * from '../constrain/index.ts'
export * from '../constrain/tokens/token-guide.ts'
export * from '../constrain/tokens/token-trie.ts'
export * from '../constrain/work-budget.ts'
