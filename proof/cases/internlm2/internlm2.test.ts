import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runFolder } from '../../conformance/run-folder.ts'

test('replies are read as recommended', async () => {
  const failures: string[] = []
  const { files } = await runFolder(fileURLToPath(new URL('.', import.meta.url)), {
    onFailure: ({ id, why }) => failures.push(`${id}: ${why.slice(0, 500)}`),
  })
  expect(failures).toEqual([])
  expect(Object.values(files).reduce((sum, { identical }) => sum + identical, 0)).toBeGreaterThan(70)
})
