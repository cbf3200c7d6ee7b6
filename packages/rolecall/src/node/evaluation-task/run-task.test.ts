import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rolecallProcess } from '../../../../../proof/testing/rolecall.ts'
import { task } from '../../evaluation/config/define-task.ts'
import { runTask } from './run-task.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolecall-task-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const rows = [
  { question: 'What is 2+3?', answer: 5 },
  { question: 'What is 1+1?', answer: 3 },
]

test('a task asks every row, scores and records it; a second run sends nothing again', async () => {
  let asked = 0
  const sums = task({
    name: 'sums',
    data: rows,
    prompt: ({ question }) => question,
    model: 'embedded',
    maxTokens: 8,
    score: ({ reply, row }) => {
      asked++
      return reply === row.answer.toString()
    },
  })
  const result = await runTask(sums, { workDir: folder, cache: false })
  expect([result.score, result.rows.map(({ reply, score }) => [reply, score])]).toEqual([
    0.5,
    [
      ['5', 1],
      ['2', 0],
    ],
  ])
  expect([asked, result.unfinished, result.summary.results[0]?.value]).toEqual([2, 0, 50])
  const again = await runTask(sums, { workDir: folder, reuse: 'latest', cache: false })
  expect([again.folder, again.score, readdirSync(folder).length]).toEqual([result.folder, 0.5, 1])
})

test('messages, a file of rows and a text with columns ask the same', async () => {
  const data = join(folder, 'rows.jsonl')
  writeFileSync(data, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const score = ({ reply, row }: { reply: string; row: Record<string, unknown> }) => reply === String(row.answer)
  const common = { data, model: 'embedded', maxTokens: 8, score } as const
  const texts = await runTask(task({ ...common, prompt: '{question}' }), { workDir: join(folder, 'a'), cache: false })
  const messages = await runTask(task({ ...common, prompt: ({ question }) => [{ role: 'user', content: String(question) }] }), {
    workDir: join(folder, 'b'),
    cache: false,
  })
  expect(texts.rows).toEqual(messages.rows)
  expect([texts.score, texts.rows.map(({ reply }) => reply)]).toEqual([0.5, ['5', '2']])
})

test('a score that throws is the row’s error, and counts as 0', async () => {
  const broken = task({ data: rows, prompt: '{question}', model: 'embedded', maxTokens: 4, score: () => Number.NaN })
  const { score, rows: done } = await runTask(broken, { workDir: folder, cache: false })
  expect([score, done.map(({ error }) => error !== undefined)]).toEqual([0, [true, true]])
})

test('rolecall run takes a module that exports a task', async () => {
  writeFileSync(
    join(folder, 'sums.ts'),
    `import { task } from 'rolecall'
export default task({
  name: 'sums',
  data: ${JSON.stringify(rows)},
  prompt: ({ question }) => question,
  model: 'embedded',
  score: ({ reply, row }) => reply === String(row.answer),
})
`,
  )
  const { code, stdout } = await rolecallProcess(['run', 'sums.ts', '--no-cache'], folder)
  expect([code, stdout]).toEqual([0, expect.stringContaining('50')])
})

test('misspelt keys and wrong values are errors that name them', async () => {
  const right = { data: rows, prompt: '{question}', model: 'embedded', score: () => true }
  expect(() => task({ ...right, models: [] } as never)).toThrow(/models/)
  expect(() => task({ ...right, score: 'exact' } as never)).toThrow(/score/)
  await expect(runTask(task(right), { limits: 1 } as never)).rejects.toThrow(/limits/)
  await expect(runTask(task({ ...right, prompt: () => [] }), { workDir: folder })).rejects.toThrow(/task › prompt, row 0/)
})
