// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../base/fidelity/quirks.ts'
