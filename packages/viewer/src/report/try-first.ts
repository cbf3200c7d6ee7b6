export { isForeign, rowTrial } from '../guard/trial.ts'

/** Reports have no worker to try templates in: the sender of the file controls its content anyway, and the step limit stops templates. */
export async function tryFirst(): Promise<void> {}
