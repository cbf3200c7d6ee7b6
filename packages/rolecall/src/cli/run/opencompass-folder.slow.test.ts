import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { openCompassConfigs, openCompassFolder } from '../../../../../proof/testing/opencompass-folder.ts'
import { keepPythonSnapshot } from '../../../../../proof/testing/python-snapshot.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

keepPythonSnapshot()

/** The end of a question → the server's reply: the first of each dataset is correct, the second wrong. */
const says: Record<string, string> = {
  'What is a leaf?': 'Green.\nANSWER: A',
  'What is a root?': 'Green.\nANSWER: A',
  'What is the moon?': 'answer: D',
  'Ten and five?': '10 and 5 are 15. The answer is 15.',
  'Six times two?': 'The answer is 13.',
  真: 'C',
  假: '我选 A。',
  心: '答案: B',
  肺: '答案: B',
  'The cat': 'C',
  'The bird': 'Answer: C',
  'holds milk': 'B',
  'holds tea': 'B',
  'Snark one': 'So the answer is (A).',
  'Snark two': 'So the answer is (A).',
  'Walk one': 'So the answer is Yes.',
  'Walk two': 'So the answer is Yes.',
  'def add': '```python\ndef add(a, b):\n    return a + b\n```',
  'def subtract': '```python\ndef subtract(a, b):\n    return a + b\n```',
  'Halve one.': '$\\boxed{0.5}$',
  'Double one.': '$\\boxed{3}$',
  barks: 'A dog.',
  purrs: 'The dog.',
}

let server: ScriptedServer
beforeAll(async () => {
  server = await scriptedServer(({ path, body }) => {
    if (!path.endsWith('/chat/completions')) return { json: { data: [{ id: 'm' }] } }
    const { messages } = JSON.parse(body) as { messages: { content: string }[] }
    const asked = messages.at(-1)!.content
    const answer = Object.entries(says).find(([words]) => asked.includes(words))?.[1]
    if (answer === undefined) return { status: 500, text: `nothing is known about ${asked}` }
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }
    return { json: { id: '1', object: 'chat.completion', created: 1, model: 'm', choices: [choice] } }
  })
})
afterAll(() => server?.close())

type Figures = { results: { dataset: string; value: number }[] }

/** The metrics of each dataset of a config, from the command a user would type. */
async function figuresOf(name: string, files: Record<string, string> = openCompassFolder): Promise<Record<string, number>> {
  for (const variable of ['OPENAI_BASE_URL', 'HTTP_PROXY', 'http_proxy']) vi.stubEnv(variable, undefined)
  const args = ['run', '--datasets', name, '--models', `openai:m@${server.url}`, '--no-cache', '--json']
  const { code, stdout, stderr } = await rolecall(args, folderWith(files), { OPENAI_API_KEY: 'none' })
  expect(code, stderr).toBe(0)
  const { results } = JSON.parse(stdout) as Figures
  return Object.fromEntries(results.map(({ dataset, value }) => [dataset, value]))
}

describe("the ten default configs run unchanged with OpenCompass's data folder", { timeout: 120_000 }, () => {
  const expected: Record<string, Record<string, number>> = {
    mmlu_gen: { lukaemon_mmlu_college_biology: 50, lukaemon_mmlu_astronomy: 100 },
    gsm8k_gen: { gsm8k: 50 },
    ceval_gen: { 'ceval-logic': 50 },
    cmmlu_gen: { 'cmmlu-anatomy': 50 },
    hellaswag_gen: { hellaswag: 50 },
    winogrande_gen: { winogrande: 50 },
    bbh_gen: { 'bbh-snarks': 50, 'bbh-navigate': 50 },
    humaneval_gen: { openai_humaneval: 50 },
    math_gen: { math: 50 },
    triviaqa_gen: { triviaqa_wiki_1shot: 50 },
  }
  for (const name of openCompassConfigs) test(name, async () => expect(await figuresOf(name)).toEqual(expected[name]))

  test('import reports each of them as runnable', async () => {
    const folder = folderWith(openCompassFolder)
    const { stdout } = await rolecall(['import', 'opencompass/configs', '--report', 'table.json'], folder)
    expect(stdout).not.toContain('not supported:')
  })
})

test('a chatml_datasets config is found by name, and its chats are sent', async () => {
  const chat = (question: string, answer: string) =>
    `${JSON.stringify({ question: [{ role: 'user', content: question }], answer: [answer] })}\n`
  const files = {
    'opencompass/configs/chatml_datasets/halves/halves_gen.py':
      "datasets = [dict(abbr='halves', path='data/halves.jsonl', evaluator=dict(type='math_evaluator'))]\n",
    'data/halves.jsonl': chat('Halve one.', '\\frac{1}{2}') + chat('Double one.', '2'),
  }
  expect(await figuresOf('halves_gen', files)).toEqual({ halves: 50 })
})
