// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../model/define-model.ts'
export * from '../model/model.ts'
export * from '../model/parse-reply.ts'
export * from '../model/plain-reply.ts'
export * from '../model/render-prompt.ts'
export * from '../prompt/format/compile-loaded-format.ts'
