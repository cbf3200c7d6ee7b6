import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

test('a chatty model is explained after a run, by doctor, and by --try, which leaves the run as it is', async () => {
  const server = await scriptedServer(({ body }) => {
    const [{ content = '' } = {}] = (JSON.parse(body || '{}') as { messages?: { content: string }[] }).messages ?? []
    return { json: { choices: [{ message: { content: `I would say ${content.length * 7} to that` }, finish_reason: 'stop' }] } }
  })
  const rows = Array.from({ length: 40 }, (_, index) => ({ question: 'x'.repeat(index + 1), answer: String((index + 1) * 7) }))
  const config = { data: rows, prompt: '{question}', model: `openai:m@${server.url}`, gold: 'answer', check: 'exact' }
  const folder = folderWith({ 'qa.json': JSON.stringify(config) })
  const run = await rolecall(['run', 'qa.json', '-w', 'runs', '--no-cache'], folder)
  await server.close()
  expect(run.code, run.stderr).toBe(0)
  expect(run.stderr.replaceAll(/\s+/g, ' ')).toMatch(/doctor runs 40 wrong replies may be right/)
  const [time = ''] = readdirSync(join(folder, 'runs')).filter((name) => /^\d/.test(name))
  const results = () => readFileSync(join(folder, 'runs', time, 'summary', 'summary.json'), 'utf8')
  const before = results()
  const { code, stdout, stderr } = await rolecall(['doctor', 'runs', '--try', '--json'], folder)
  expect(code, stderr).toBe(0)
  const { diagnoses, tried } = JSON.parse(stdout) as {
    diagnoses: { value: number; findings: { code: string; rows: number[] }[] }[]
    tried: { results: { value: number }[] }
  }
  expect(diagnoses).toMatchObject([{ value: 0, findings: [{ code: 'extraction', fix: 'check: number' }] }])
  expect(tried.results).toMatchObject([{ value: 100 }])
  expect(results()).toBe(before)
  expect(existsSync(join(folder, 'runs', time, 'summary', 'tried.json'))).toBe(true)
})
