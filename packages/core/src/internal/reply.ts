// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../reply/derive/probes.ts'
export * from '../reply/families/reply-syntaxes.ts'
export * from '../reply/find-syntax.ts'
export * from '../reply/forced-call.ts'
export * from '../reply/index.ts'
export * from '../reply/opening-of.ts'
export * from '../reply/read-answer.ts'
export * from '../reply/recorded-call.ts'
export * from '../reply/reply.ts'
export * from '../reply/reply-reader.ts'
export * from '../reply/response-template/index.ts'
export * from '../reply/syntax.ts'
