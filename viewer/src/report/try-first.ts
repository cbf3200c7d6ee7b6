export { isForeign, rowTrial } from '../guard/trial.ts'

/** In a report there is no worker to try templates in: whoever sent the file could have put anything into it, and templates are stopped by their steps. */
export async function tryFirst(): Promise<void> {}
