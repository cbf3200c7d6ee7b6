import { expect, test } from 'vitest'
import { contentProblems } from './pack.ts'

test('missing, superfluous and large files in the package are reported', () => {
  const paths = [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'bin/rolecall.mjs',
    'dist/types/index.d.ts',
    'dist/viewer/index.html',
    'schema/rolecall.schema.json',
  ]
  const files = (more: readonly string[]) => [...paths, ...more].map((path) => ({ path, size: 1 }))
  const packed = { name: 'rolecall', file: 'x.tgz', size: 1e6, unpackedSize: 2e6, files: files(['dist/js/cli/main.js']) }
  expect(contentProblems(packed)).toEqual([])
  expect(contentProblems({ ...packed, size: 20e6, files: files(['dist/run/run.test.js']) })).toEqual([
    'dist/js/cli/main.js is missing',
    'dist/run/run.test.js does not belong in it',
    'it is 20.0 MB packed: more than 8.0 MB',
  ])
})
