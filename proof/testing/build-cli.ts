import { buildIfNeeded } from '../../scripts/build-if-needed.mjs'

/** Bundles the command line for everything that starts it as a process: through jiti, every start takes seconds. */
export async function buildCli(): Promise<void> {
  await buildIfNeeded(['code'])
}
