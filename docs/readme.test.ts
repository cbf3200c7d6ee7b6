import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { folderWith } from '../proof/testing/folder-with.ts'
import { type HubServer, hubServer } from '../proof/testing/hub-server.ts'
import { rolecall } from '../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../proof/testing/scripted-server.ts'
import { blocksOf, readPage } from './page.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const readme = readPage('README.md')
const commands = blocksOf(readme)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
  .map((line) => line.replace(/\s+# .*$/, ''))

// A stand-in of the hub has a model of this name.
const folder = new URL('../examples/data/', import.meta.url)
const files = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.includes('token') || name.includes('template'))
    .map((name) => [name, readFileSync(new URL(name, folder))]),
)
let server: ScriptedServer
let hub: HubServer
beforeAll(async () => {
  hub = await hubServer({ 'models/Qwen/Qwen3-8B': { files } })
  server = await scriptedServer(({ path }) =>
    path.endsWith('/models')
      ? { json: { object: 'list', data: [{ id: 'mine', object: 'model' }] } }
      : {
          json: {
            choices: [{ message: { role: 'assistant', content: '4' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 9, completion_tokens: 1 },
          },
        },
  )
})
afterAll(() => Promise.all([server.close(), hub.close()]))

test('the README starts with three commands', () => expect(commands).toHaveLength(3))

// `npm ci` is what CI starts with. Two rows stand for all; the address of a server is that of a scripted one.
test.each(commands)('%s', { timeout: 120_000 }, async (line) => {
  const [, given] = /^(?:npm ci && )?npx rolecall (.+)$/.exec(line) ?? []
  expect(given, 'a command of ours').toBeDefined()
  const words = given!.replace('http://127.0.0.1:8000', server.url).split(' ')
  const small = words[0] === 'run' ? [...words, '--limit', '2', '--no-cache', '-w', join(folderWith({}), 'results')] : words
  for (const [name, value] of Object.entries({ HF_ENDPOINT: hub.url, HF_HOME: folderWith({}), HF_HUB_OFFLINE: '' })) vi.stubEnv(name, value)
  const { code, stdout, stderr } = await rolecall(small, root)
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(
    words[0] === 'run' ? /^\d+ rows in [\d.]+ s · \S+results\/\d{8}_\d{6}$/m : /^╭─ sample chat[\s\S]*tools: described to the model/,
  )
})

test('the figures of the README are the sums of the conformance table', () => {
  const rows = readPage('docs/measurements.md').text.matchAll(/^\| .+ \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm)
  const figures = [...rows].map((row) => row.slice(1).map((text) => Number(text.replaceAll(',', ''))))
  const sums = figures.reduce((all, row) => all.map((sum, index) => sum + row[index]!))
  expect(figures.length).toBeGreaterThan(5)
  for (const [all, ...parts] of figures) expect(parts.reduce((sum, part) => sum + part)).toBe(all)
  for (const page of [readme, readPage('README.zh-CN.md')]) for (const sum of sums) expect(page.text).toContain(sum.toLocaleString('en-US'))
})

test('the first screen of the README is short, and the whole fits on three', () => {
  for (const page of [readme, readPage('README.zh-CN.md')]) {
    const lines = page.text.split('\n')
    expect(lines.findIndex((line) => line.startsWith('```sh'))).toBeLessThan(24)
    expect(lines.length).toBeLessThan(140)
  }
})
