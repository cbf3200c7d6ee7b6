import { fileURLToPath } from 'node:url'
import { bundle } from '../../scripts/bundle.ts'

// Beside `src`, like `dist`: code that locates files relative to itself finds them.
const folder = new URL('../../.built/', import.meta.url)

/** Bundles the command line for everything that starts it as a process: through jiti, every start takes seconds. */
export async function buildCli(): Promise<void> {
  await bundle(fileURLToPath(folder))
}
