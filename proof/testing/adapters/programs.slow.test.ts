import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, readPage, runsElsewhere } from '../../../docs/page.ts'
import { serve } from '../../../packages/rolecall/src/serve.ts'
import { programTimeout } from '../run-program.ts'
import { consumer, missingPeers, runThere } from './consumer.ts'

// The four programs of docs/programs.md, with the packages as they are built: their lengths, and what they print.

const programs = blocksOf(readPage('docs/programs.md')).flatMap(({ language, code }) => (language === 'ts' ? [code] : []))
const programWith = (text: string) => programs.find((code) => code.includes(text)) ?? ''
const missing = missingPeers('ai', 'zod')
if (missing.length > 0)
  console.warn(`skipped: docs/programs.md; scripts/install-peers.sh .cache/peers --clients installs ${missing.join(', ')}`)

describe('docs/programs.md', () => {
  test.each([
    ['openServer(', 12],
    ['@rolecall/adapters/ai-sdk', 10],
    ['@rolecall/adapters/vitest', 8],
    ['runTask', 12],
  ])('has a program with %s in at most %i lines', (text, most) => {
    const lines = programWith(text).trimEnd().split('\n').length
    expect(lines).toBeGreaterThan(4)
    expect(lines).toBeLessThanOrEqual(most)
  })

  describe.skipIf(missing.length > 0)(`in a project of somebody${missing.length > 0 ? `: missing ${missing.join(', ')}` : ''}`, () => {
    let folder = ''
    beforeAll(async () => {
      folder = await consumer()
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('streams tool calls from a raw completions server', async () => {
      const { url, close } = await serve({ models: [{ abbr: 'internlm2', type: 'embedded', format: 'internlm2' }] })
      try {
        const code = programWith('openServer(')
        expect(runsElsewhere.test(code)).toBe(true)
        expect(await runThere(folder, code.replace('http://127.0.0.1:8000', url))).toContain("get_current_weather { location: 'Shanghai' }")
      } finally {
        await close()
      }
    })

    test('runs an AI SDK agent on a local model', async () => {
      expect(await runThere(folder, programWith('@rolecall/adapters/ai-sdk'))).toBe('上海的天气是 22 摄氏度\n')
    })

    test('tests a prompt in Vitest', async () => {
      writeFileSync(join(folder, 'prompt.test.ts'), programWith('@rolecall/adapters/vitest'))
      const flags = ['node_modules/vitest/vitest.mjs', 'run', '--root', folder]
      const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder, timeout: programTimeout })
      expect(stdout).toMatch(/1 passed/)
    })

    test('evaluates', async () => {
      expect(await runThere(folder, programWith('runTask'))).toBe('1\n')
    })
  })
})
