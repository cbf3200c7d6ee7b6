import type { Note } from '@rolecall/core/internal/errors'
import type { HubSource } from './hub-site.ts'
import type { HubMemory, HubProgress } from './open-hub.ts'

/** How this process uses hubs where a call does not say; the command line sets it. Kept apart for a fast start. */
export const hubUse: {
  /** Shows downloads. */
  show: (progress: HubProgress) => void
  /** Receives what was assumed. */
  note: (note: Note) => void
  /** Whether GGUF files that a config names are downloaded, or only their metadata: many commands open no model. */
  weights: boolean
  /** Whether locks are read; not while one is written anew. */
  locks: boolean
  /** What was learnt from hubs, for the time of one command; undefined where a process lives longer. */
  memory: HubMemory | undefined
  /** What has been used from hubs, by repository. */
  readonly sources: Map<string, HubSource>
} = { show: () => undefined, note: () => undefined, weights: true, locks: true, memory: undefined, sources: new Map() }
