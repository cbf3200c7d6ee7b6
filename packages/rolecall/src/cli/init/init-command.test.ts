import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runCommand } from '../../../../../docs/run-command.ts'
import { findServers } from './find-servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-init-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Kind = { name: string; row: object; is: string; shown: string; hidden: string }

const kinds: Kind[] = [
  {
    name: 'messages',
    row: {
      messages: [
        { role: 'user', content: '12+30=?' },
        { role: 'assistant', content: '42' },
      ],
    },
    is: 'chats as messages',
    shown: '12+30=?',
    hidden: '42',
  },
  {
    name: 'sharegpt',
    row: {
      conversations: [
        { from: 'human', value: '12+30=?' },
        { from: 'gpt', value: '42' },
      ],
    },
    is: "chats as ShareGPT's conversations",
    shown: '12+30=?',
    hidden: '42',
  },
  {
    name: 'alpaca',
    row: { instruction: 'Add.', input: '12+30', output: '42' },
    is: 'instructions with answers (output)',
    shown: 'Add.\n\n12+30',
    hidden: '42',
  },
  {
    name: 'choices',
    row: { question: '12+30=?', choices: ['41', '42'], answer: '42' },
    is: 'multiple choice',
    shown: '12+30=?\nA. 41\nB. 42\n',
    hidden: 'B<|im_end|>',
  },
  {
    name: 'context',
    row: { context: 'It is 42.', question: 'What is it?', answers: ['forty-two'] },
    is: 'questions about a text with answers (answers)',
    shown: 'It is 42.\n\nWhat is it?',
    hidden: 'forty-two',
  },
  {
    name: 'squad',
    row: { context: 'It is 42.', question: 'What is it?', answers: { text: ['forty-two', '42'], answer_start: [6, 6] } },
    is: "questions with several right answers, as in SQuAD's files",
    shown: 'It is 42.\n\nWhat is it?',
    hidden: 'forty-two',
  },
  {
    name: 'question',
    row: { id: 7, question: '12+30=?', answer: '42' },
    is: 'questions with answers (answer)',
    shown: '12+30=?',
    hidden: '42',
  },
]

test.each(kinds)('init leads to a score: rows of $name', { timeout: 120_000 }, async ({ name, row, is, shown, hidden }) => {
  const here = mkdtempSync(join(folder, `${name}-`))
  writeFileSync(join(here, 'rows.jsonl'), `${JSON.stringify(row)}\n`)
  const told = await runCommand(['init', '--yes', '--data', 'rows.jsonl'], here)
  expect(told).toContain(`wrote rolecall.config.yaml: rows.jsonl (${is})`)
  expect(told).toMatch(/next {2}npx rolecall run\s/)
  const prompt = await runCommand(['render', '--text'], here)
  expect(prompt).toContain(shown)
  expect(prompt).not.toContain(hidden)
  // Only this row is sent, and it gets a score.
  expect(await runCommand(['run', '--json'], here)).toMatch(/"metric": "(?:score|accuracy|f1)"/)
})

test('rows without gold answers are sent, with a note that nothing is scored', async () => {
  const here = mkdtempSync(join(folder, 'text-'))
  writeFileSync(join(here, 'rows.jsonl'), '{"text":"12+30=?"}\n')
  const told = await runCommand(['init', '--yes', '--data', 'rows.jsonl'], here)
  expect(told).toContain('no column with gold answers found, so nothing is scored')
  expect(told).toMatch(/next {2}npx rolecall run --no-score\s/)
})

test('accepts the same model names as other commands; without one, only prompts are shown', async () => {
  const here = mkdtempSync(join(folder, 'model-'))
  const told = await runCommand(['init', '--yes', '--model', 'openai:qwen3-8b@http://127.0.0.1:8000/v1'], here)
  expect(told).toMatch(/next {2}npx rolecall run\s/)
  expect(parse(readFileSync(join(here, 'rolecall.config.yaml'), 'utf8')).models).toMatchObject([
    { type: 'openai', path: 'qwen3-8b', base_url: 'http://127.0.0.1:8000/v1' },
  ])
  expect(await runCommand(['init', '--yes', '--force', '--model', 'none'], here)).toMatch(/next {2}npx rolecall render --show-whitespace\s/)
  expect(await runCommand(['init', '--yes', '--force', '--model', 'gtp4'], here)).toMatch(/^error/)
})

test('finds servers on this machine by requesting their models', async () => {
  const server = createServer((request, response) =>
    response.end(request.url === '/v1/models' ? '{"data": [{"id": "qwen3-8b"}, {"id": 5}]}' : 'what?'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  expect(
    await findServers([
      ['vLLM', port],
      ['nobody', 1],
    ]),
  ).toEqual([{ server: 'vLLM', url: `http://127.0.0.1:${port}/v1`, model: 'qwen3-8b' }])
  server.close()
})
