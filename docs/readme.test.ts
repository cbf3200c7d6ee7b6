import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../testing/folder-with.ts'
import { rolecall } from '../testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../testing/scripted-server.ts'
import { blocksOf, readPage } from './page.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const readme = readPage('README.md')
const commands = blocksOf(readme)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
  .map((line) => line.replace(/\s+# .*$/, ''))

let server: ScriptedServer
beforeAll(async () => {
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
afterAll(() => server.close())

test('the README starts with three commands', () => expect(commands).toHaveLength(3))

// `npm ci` is what CI starts with. Two rows stand for all; the address of a server is that of a scripted one.
test.each(commands)('%s', { timeout: 120_000 }, async (line) => {
  const [, given] = /^(?:npm ci && )?npx rolecall (.+)$/.exec(line) ?? []
  expect(given, 'a command of ours').toBeDefined()
  const words = given!.replace('http://127.0.0.1:8000', server.url).split(' ')
  const small = words[0] === 'run' ? [...words, '--limit', '2', '--no-cache', '-w', join(folderWith({}), 'results')] : words
  const { code, stdout, stderr } = await rolecall(small, root)
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(words[0] === 'run' ? /rows in [\d.]+ s\. Results: / : /^╭─ sample chat[\s\S]*tools: described to the model/)
})

test('the figures of the README are the sums of the conformance table', () => {
  const rows = readPage('docs/measurements.md').text.matchAll(/^\| .+ \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm)
  const figures = [...rows].map((row) => row.slice(1).map((text) => Number(text.replaceAll(',', ''))))
  const sums = figures.reduce((all, row) => all.map((sum, index) => sum + row[index]!))
  expect(figures.length).toBeGreaterThan(5)
  expect(figures.every(([all = 0, identical = 0, byRule = 0, open = 0]) => all === identical + byRule + open)).toBe(true)
  for (const page of [readme, readPage('README.zh-CN.md')]) for (const sum of sums) expect(page.text).toContain(sum.toLocaleString('en-US'))
})

test('the first screen of the README is short, and the whole fits on three', () => {
  for (const page of [readme, readPage('README.zh-CN.md')]) {
    const lines = page.text.split('\n')
    expect(lines.findIndex((line) => line.startsWith('```sh'))).toBeLessThan(24)
    expect(lines.length).toBeLessThan(140)
  }
})
