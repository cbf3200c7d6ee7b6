import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

// A task that is a class, its made-up data, and what lm-evaluation-harness 0.4.13 wrote for it with this model.
const cases = fileURLToPath(new URL('../../../../../proof/cases/lm-eval-class/', import.meta.url))
const read = (name: string) => readFileSync(join(cases, name), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'rolecall-class-'))
afterAll(() => rmSync(folder, { recursive: true }))
cpSync(cases, join(folder, 'tasks'), { recursive: true })
cpSync(join(cases, 'validation.jsonl'), join(folder, 'data/zoo/owls/validation.jsonl'))

/** A model whose tokens are characters, with log-probabilities that a hash of the text before them gives. */
function scoresOf(text: string) {
  let hash = 2166136261
  return [...text].map((token) => {
    hash = (Math.imul(hash ^ token.codePointAt(0)!, 16777619) + 12345) >>> 0
    const drawn = hash >>> 7
    return { token, value: -((drawn % 512) + 1) / 64, isBest: (drawn >>> 9) % 7 !== 0 }
  })
}

function completion(prompt: string, echo: boolean | undefined, index: number) {
  if (!echo)
    return { text: prompt.includes('Wer') ? 'answer is (die Eule)' : 'The answer is The answer is C..', index, finish_reason: 'stop' }
  const scores = scoresOf(prompt)
  const logprobs = {
    tokens: scores.map(({ token }) => token),
    token_logprobs: scores.map(({ value }, place) => (place === 0 ? null : value)),
    text_offset: scores.map((_, place) => place),
    top_logprobs: scores.map(({ token, value, isBest }, place) =>
      place === 0 ? null : isBest ? { [token]: value } : { '#': value + 0.001, [token]: value },
    ),
  }
  return { text: prompt, index, finish_reason: 'length', logprobs }
}

const server = await scriptedServer(({ body }) => {
  const { prompt, echo } = JSON.parse(body) as { prompt: string | string[]; echo?: boolean }
  return { json: { choices: [prompt].flat().map((text, index) => completion(text, echo, index)) } }
})
afterAll(() => server.close())

const run = (...words: string[]) =>
  rolecall(
    ['run', '--model', 'local-completions', '--model_args', `model=m,base_url=${server.url}/completions`]
      .concat(['--tasks', 'tasks/owls.yaml', '--data-dir', 'data', '--no-cache', '-w', 'runs'])
      .concat(words),
    folder,
  )

describe('a task that is a class', () => {
  test('sends the same requests, and writes the same samples and results, as lm-evaluation-harness', async () => {
    const { code, stderr } = await run('--output_path', 'out', '--log_samples')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const [results, samples] = readdirSync(join(folder, 'out/m')).sort()
    const linesOf = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
    expect(linesOf(readFileSync(join(folder, 'out/m', samples!), 'utf8'))).toEqual(linesOf(read('samples.jsonl')))
    expect(JSON.parse(readFileSync(join(folder, 'out/m', results!), 'utf8'))).toMatchObject(JSON.parse(read('results.json')) as object)
  })

  test('a dry run counts the tokens of the replies that it generates before it scores', async () => {
    const { stdout } = await run('--dry-run', '--json')
    const [plan] = JSON.parse(stdout) as { rows: number; prompts: number; mostGenerated: number }[]
    expect(plan).toMatchObject({ rows: 3, prompts: 5, mostGenerated: 2 * 8 })
  })

  test('mistakes are reported before the first request', async () => {
    const before = server.seen.length
    for (const [flags, problem] of [
      [['--num_fewshot', '2'], 'a task that is a class has no examples here'],
      [['--gen_kwargs', 'temperature=1'], 'the class of a task sets how it generates'],
    ] as const)
      expect(await run(...flags)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) })
    expect(server.seen).toHaveLength(before)
  })
})
