import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { formatFlags } from '../node/formats/format-flags.ts'
import { formatWords } from '../node/formats/read-format.ts'
import { commands } from './commands.ts'

const folder = folderWith({
  'chat.jinja': '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  'mlc/mlc-chat-config.json': '{ "conv_template": "vicuna_v1.1" }',
  'meta.yaml': 'round:\n  - { role: HUMAN, begin: "Q: ", end: "\\n" }\n  - { role: BOT, begin: "A: ", end: "\\n", generate: true }\n',
  Modelfile: 'FROM tiny\nTEMPLATE """{{ range .Messages }}[{{ .Role }}] {{ .Content }}\n{{ end }}[assistant] """\n',
  'chats.jsonl': '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}\n',
  'rolecall.config.yaml': `models:
  - { abbr: tiny, type: embedded, format: internlm2, max_out_len: 4 }
datasets:
  - abbr: sums
    rows: [{ question: 1+1=?, answer: "2" }]
    infer_cfg: { prompt_template: { template: { round: [{ role: HUMAN, prompt: "{question}" }] } } }
`,
})
const tokenizer = join(import.meta.dirname, '../../embedded-model/tokenizer.json')

/** One of each source, by what its prompts show. */
const formats = {
  chatml: '<|im_start|>user',
  'vicuna_v1.1': 'USER: ',
  './chat.jinja': '<|user|>',
  mlc: 'USER: ',
  './meta.yaml': 'Q: ',
  './Modelfile': '[user] ',
}

describe.each(Object.entries(formats))('the format %s', (format, mark) => {
  const run = (...args: string[]) => rolecall(args, folder)

  test('is rendered', async () => {
    const { stdout, stderr, code } = await run('render', '--format', format, '--text')
    expect([code, stderr, stdout]).toEqual([0, expect.any(String), expect.stringContaining(mark)])
  })

  test.each([
    ['tokens', '--format', format],
    ['run', '--dry-run', '--format', format],
    ['export', 'chats.jsonl', '-o', `${encodeURIComponent(format)}.jsonl`, '--tokenizer', tokenizer, '--format', format],
    ['diff', format, 'moss', '--limit', '1'],
    ['formats', format],
  ])('is taken by %s', async (...args) => {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([0, expect.any(String)])
  })
})

test.each([
  ['chat', '--no-tools', '--max-tokens', '4', 'hi', '--format', './Modelfile'],
  ['convert', './Modelfile', '--to', 'jinja', '--approximate'],
  ['lint', './meta.yaml'],
])('is taken by %s', async (...args) => {
  const { code, stderr } = await rolecall(args, folder)
  expect([code, stderr]).toEqual([0, expect.any(String)])
})

test('lint says what a chat template cannot express of a format', async () => {
  expect(await rolecall(['lint', './Modelfile'], folder)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/only chat templates are checked, and as one this format cannot be written: jinja cannot express/),
  })
})

test('every command names the sources in the same words', async () => {
  const flags = ['render', 'tokens', 'view', 'run', 'serve', 'chat', 'export', 'verify']
  const given = ['diff', 'convert', 'lint', 'formats']
  for (const { name, load } of commands.filter(({ name }) => [...flags, ...given].includes(name))) {
    const { options, registeredArguments } = await load()
    if (flags.includes(name))
      expect(options.map(({ long, description }) => [long, description])).toEqual(
        expect.arrayContaining(formatFlags.map((flag) => [flag.name, flag.does])),
      )
    else expect(registeredArguments[0]?.description).toContain(formatWords)
  }
}, 60_000)
