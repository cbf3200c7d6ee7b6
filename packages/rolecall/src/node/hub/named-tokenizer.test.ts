import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type HubServer, hubServer } from '../../../../../proof/testing/hub-server.ts'
import { namedTokenizer } from './named-tokenizer.ts'

const embedded = fileURLToPath(new URL('../../../embedded-model', import.meta.url))

let server: HubServer
let folder: string
beforeEach(async () => {
  server = await hubServer({ 'models/Xenova/gpt-4': { files: { 'tokenizer.json': readFileSync(join(embedded, 'tokenizer.json')) } } })
  folder = mkdtempSync(join(tmpdir(), 'rolecall-tokenizer-'))
  vi.stubEnv('HF_ENDPOINT', server.url)
  vi.stubEnv('HF_HOME', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true })
})

test('a folder, and the repository of a model of OpenAI', async () => {
  const text = 'Needles in a haystack.'
  const local = (await namedTokenizer(embedded))!
  expect(local.decode(local.encode(text))).toBe(text)
  expect(await namedTokenizer('gpt-4')).toBeUndefined()
  vi.stubEnv('HF_HUB_OFFLINE', '')
  expect((await namedTokenizer('gpt-4'))!.encode(text)).toEqual(local.encode(text))
})
