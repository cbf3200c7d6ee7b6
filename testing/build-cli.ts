import { fileURLToPath } from 'node:url'
import { bundle } from '../scripts/bundle.ts'

// Beside `src`, as `dist` is: what the code finds relative to itself is where it looks.
const folder = new URL('../.built/', import.meta.url)

/** Writes the command line as JavaScript, once for all tests that start it: through jiti every start takes seconds. */
export default async function buildCli(): Promise<void> {
  await bundle(fileURLToPath(folder))
}
