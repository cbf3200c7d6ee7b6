import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from '../../../scripts/build-if-needed.mjs'

/** The folder of the viewer built from these sources, including `--export report.html`. */
export async function builtViewer(): Promise<string> {
  await buildIfNeeded(['viewer'])
  return fileURLToPath(new URL('../../rolecall/dist/viewer', import.meta.url))
}
