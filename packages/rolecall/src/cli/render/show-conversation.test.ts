import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

// Sentences are compared as a terminal of this width shows them.
beforeEach(() => void vi.stubEnv('COLUMNS', '100'))
afterEach(() => void vi.unstubAllEnvs())

test('render --conversation prints what document 002 prints as PromptList, beside the prompt', async () => {
  const { stdout } = await rolecall(['render', '--datasets', 'sums', '--models', 'chatml', '--conversation'])
  expect(stdout).toContain(`  { role: "SYSTEM", fallback_role: "HUMAN", prompt: "Solve the following questions." }
  { role: "HUMAN", prompt: "2+2=?" }
  { role: "BOT", prompt: "4" }
  { role: "HUMAN", prompt: "3+3=?" }
  { role: "BOT", prompt: "6" }
  { role: "HUMAN", prompt: "1+1=?" }
  { role: "BOT", prompt: "" }
`)
})
