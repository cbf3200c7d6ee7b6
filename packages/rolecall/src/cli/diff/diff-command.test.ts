import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const chatml =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}'
const config = (models: object[], human = '{question}') => ({
  models,
  datasets: [
    {
      abbr: 'sums',
      rows: [1, 2, 3].map((number) => ({ question: `${number}+1=?`, answer: `${number + 1}` })),
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        prompt_template: {
          template: {
            round: [
              { role: 'HUMAN', prompt: human },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
      },
    },
  ],
})
const tiny = (format: string) => ({ abbr: format, type: 'embedded', format })

test('two templates are compared over built-in conversations: counts first, then causes with an example', async () => {
  const folder = folderWith({ 'one.jinja': chatml, 'two.jinja': `<s>${chatml}` })
  const { stdout, code } = await rolecall(['diff', 'one.jinja', 'two.jinja'], folder)
  expect(code).toBe(0)
  expect(stdout).toContain(
    '13 conversations: 0 the same, 13 differ\n\n13 of 13  at the start, the second has "<s>" in addition\n          − <|im_start|>user⏎\n          + <s><|im_start|>user⏎',
  )
  expect((await rolecall(['diff', 'one.jinja', 'two.jinja', '--exit-code'], folder)).code).toBe(3)
  expect((await rolecall(['diff', 'one.jinja', 'one.jinja', '--exit-code'], folder)).code).toBe(0)
})

test('two models of a config are compared over its rows, with their token ids', async () => {
  const folder = folderWith({ 'c.json': JSON.stringify(config([tiny('chatml'), tiny('internlm2')])) })
  const { stdout } = await rolecall(['diff', 'chatml', 'internlm2', '--config', 'c.json', '--json', '--limit', '2'], folder)
  const diff = JSON.parse(stdout)
  expect(diff).toMatchObject({ first: 'chatml', second: 'internlm2', pairs: 2, same: 0, tokens: { pairs: 2 } })
  expect(diff.causes).toContainEqual(
    expect.objectContaining({ kind: 'markup', text: 'at the start, the second has "<s>" in addition', count: 2, of: 2 }),
  )
})

test('a config whose template drops the system turn is compared as it writes, with a warning', async () => {
  const drops = {
    ...config([
      { abbr: 'drops', chat_template: "{% for m in messages %}{% if m.role != 'system' %}{{ m.content }}{% endif %}{% endfor %}" },
    ]),
  }
  const template = { begin: [{ role: 'SYSTEM', prompt: 'Be brief.' }], round: [{ role: 'HUMAN', prompt: '{question}' }] }
  const datasets = drops.datasets.map((dataset) => ({ ...dataset, infer_cfg: { prompt_template: { template } } }))
  const folder = folderWith({ 'c.json': JSON.stringify({ ...drops, datasets }) })
  const { stdout, stderr } = await rolecall(['diff', 'c.json', 'c.json'], folder)
  expect(stdout).toContain('3 rows: 3 the same, 0 differ')
  expect(stderr + stdout).toContain('leaves out a system turn')
})

test('two configs are compared row by row', async () => {
  const folder = folderWith({
    'before.json': JSON.stringify(config([tiny('chatml')])),
    'after.json': JSON.stringify(config([tiny('chatml')], 'Q: {question}')),
  })
  const { stdout } = await rolecall(['diff', 'before.json', 'after.json'], folder)
  expect(stdout).toContain('3 rows: 0 the same, 3 differ')
  expect(stdout).toContain('3 of 3  the human text differs\n        − 1+1=?\n        + Q: 1+1=?')
  expect((await rolecall(['diff', 'before.json', 'before.json'], folder)).stdout).toContain('3 rows: 3 the same, 0 differ')
})

test('the prompts of two runs are rendered again and compared, with a note', async () => {
  const folder = folderWith({
    'a.json': JSON.stringify(config([tiny('chatml')])),
    'b.json': JSON.stringify(config([tiny('internlm2')])),
  })
  await rolecall(['run', 'a.json', '-w', 'a', '--limit', '1'], folder)
  await rolecall(['run', 'b.json', '-w', 'b', '--limit', '1'], folder)
  const runs = await Promise.all(
    ['a', 'b'].map(async (name) => `${name}/${(await import('node:fs')).readdirSync(`${folder}/${name}`).at(-1)}`),
  )
  const { stdout, stderr } = await rolecall(['diff', ...runs], folder)
  expect(stdout).toContain('at the start, the second has "<s>" in addition')
  expect(stderr).toContain('prompts are rendered again')
})

test('chats of a file are compared; an invalid line is reported by number', async () => {
  const folder = folderWith({ 'chats.jsonl': '{"messages": [{"role": "user", "content": "Hi"}]}\n', 'bad.jsonl': '\n{"messages": 1}\n' })
  const { stdout } = await rolecall(['diff', 'chatml', 'internlm2', '--chats', 'chats.jsonl'], folder)
  expect(stdout).toContain('1 conversation: 0 the same, 1 differ')
  const bad = await rolecall(['diff', 'chatml', 'internlm2', '--chats', 'bad.jsonl'], folder)
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('bad.jsonl, line 2') })
})

test('inputs that cannot be compared are an error with a fix', async () => {
  const folder = folderWith({ 'c.json': JSON.stringify(config([tiny('chatml')])) })
  const mixed = await rolecall(['diff', 'c.json', 'internlm2'], folder)
  expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining('rolecall diff MODEL internlm2 --config c.json') })
  const unknown = await rolecall(['diff', 'nobody', 'chatml', '--config', 'c.json'], folder)
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('the models are: chatml') })
})

test('--parts compares what two serving stacks send with one template', async () => {
  const folder = folderWith({ 'one.jinja': chatml })
  const { stdout } = await rolecall(['diff', 'one.jinja', '--parts', 'sglang,llama.cpp', '--json'], folder)
  const diff = JSON.parse(stdout)
  expect(diff).toMatchObject({ first: 'one.jinja (sglang)', second: 'one.jinja (llama.cpp)' })
  const texts = diff.causes.flatMap(({ examples }: { examples: { first: string; second: string }[] }) => examples)
  expect(texts).toContainEqual(
    expect.objectContaining({ first: 'France. Its capital? One word.', second: 'France.\nIts capital?\nOne word.' }),
  )
})

test('--parts and a missing second side are checked', async () => {
  const folder = folderWith({ 'one.jinja': chatml })
  const unknown = await rolecall(['diff', 'one.jinja', '--parts', 'vlm,sglang'], folder)
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('"vlm" is none of vllm, sglang')])
  const single = await rolecall(['diff', 'one.jinja'], folder)
  expect([single.code, single.stderr]).toEqual([2, expect.stringContaining('there is nothing to compare it with')])
  const format = await rolecall(['diff', 'chatml', '--parts', 'vllm,sglang'], folder)
  expect([format.code, format.stderr]).toEqual([2, expect.stringContaining('serving stacks prepare messages for chat templates')])
})
