import { fileURLToPath } from 'node:url'
import { bundle } from '../scripts/bundle.ts'

/** Writes the command line as JavaScript, once for all tests that start it: through jiti every start takes seconds. */
export default async function buildCli(): Promise<void> {
  // Beside `src`, as `dist` is: what the code finds relative to itself is where it looks.
  await bundle(fileURLToPath(new URL('../.built', import.meta.url)))
}
