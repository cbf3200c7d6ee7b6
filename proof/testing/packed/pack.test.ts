import { expect, test } from 'vitest'
import { contentProblems } from './pack.ts'

test('missing, superfluous and large files in the package are reported', () => {
  const paths = ['README.md', 'LICENSE', 'CHANGELOG.md', 'packages/rolecall/dist/index.d.ts', 'packages/rolecall/dist/viewer/index.html', 'packages/rolecall/schema/rolecall.schema.json']
  const files = (more: readonly string[]) => [...paths, ...more].map((path) => ({ path, size: 1 }))
  const packed = { file: 'x.tgz', size: 1e6, unpackedSize: 2e6, files: files(['packages/rolecall/dist/bundle/app/cli/main.js']) }
  expect(contentProblems(packed)).toEqual([])
  expect(contentProblems({ ...packed, size: 20e6, files: files(['packages/rolecall/dist/run/run.test.js']) })).toEqual([
    'packages/rolecall/dist/bundle/app/cli/main.js is missing',
    'packages/rolecall/dist/run/run.test.js does not belong in it',
    'it is 20.0 MB packed: more than 8 MB',
  ])
})
