import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PromptError } from '@rolecall/core/internal/errors'
import { packageFile } from '../../node/own-files.ts'

/**
 * Builds the viewer in a clone if it is missing or older than its sources, and says so: `npm ci` leaves it out to be quick. The package
 * contains the built viewer, and no script.
 */
export function buildViewer(script = fileURLToPath(packageFile('../../scripts/build-if-needed.mjs'))): void {
  if (!existsSync(script)) return
  const { status } = spawnSync(process.execPath, [script, 'viewer'], { stdio: 'inherit' })
  if (status === 0) return
  throw new PromptError('not-built', {
    where: script,
    problem: 'the viewer could not be built; the reason is above',
    fix: 'run `npm ci`, then `npm run build`',
  })
}
