// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../base/text/byte-sink.ts'
export * from '../base/text/camel-case.ts'
export * from '../base/text/event-queue.ts'
export * from '../base/text/index.ts'
export * from '../base/text/media-label.ts'
export * from '../base/text/media-type.ts'
export * from '../base/text/origin.ts'
export * from '../base/text/piece.ts'
export * from '../base/text/splits-pair.ts'
