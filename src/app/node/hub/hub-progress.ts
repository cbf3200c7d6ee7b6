import type { HubProgress } from './open-hub.ts'

/** Shows the downloads for which no other function was given; the command line sets it. Kept apart for a fast start. */
export const hubProgress: { show: (progress: HubProgress) => void } = { show: () => undefined }
