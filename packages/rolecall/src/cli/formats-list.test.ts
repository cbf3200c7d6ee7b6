import { expect, test } from 'vitest'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

test('the beginnings of system texts are shown letter for letter, on one line', async () => {
  const { stdout } = await rolecall(['list', 'formats', '--kind', 'old'])
  expect(stdout).toMatch(/^llama-2 .* You are a helpful, respectful and hones…$/m)
  expect(stdout).toMatch(/^llama_default .* A chat between a curious user and an ar…$/m)
})
