import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { buildViewer } from './build-viewer.ts'

test('in a clone, the script is run for the viewer; its failure is an error with what to do', () => {
  const folder = folderWith({
    'ok.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync(new URL(process.argv[2], import.meta.url), '')`,
    'broken.mjs': 'process.exit(1)',
  })
  buildViewer(join(folder, 'ok.mjs'))
  expect(existsSync(join(folder, 'viewer'))).toBe(true)
  expect(() => buildViewer(join(folder, 'broken.mjs'))).toThrow(/could not be built.*npm run build/s)
})

test('in the package there is no script, and nothing is built', () => {
  expect(() => buildViewer(join(folderWith({}), 'missing.mjs'))).not.toThrow()
})
