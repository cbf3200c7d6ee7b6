import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { chosenModels } from './serve/serve-command.ts'
import { openViewed } from './view/open-viewed.ts'

// The examples of documents 001 to 004, typed as a reader would type them.

const promptList = `PromptList([
    dict(role='SYSTEM', fallback_role='HUMAN', prompt='Solve the following math questions'),
    dict(role='HUMAN', prompt='1+1=?'),
    dict(role='BOT', prompt='2'),
    dict(role='HUMAN', prompt='2+2=?'),
    dict(role='BOT', prompt='4'),
])
`
const metaTemplate = `meta_template = dict(
    round=[
        dict(role='HUMAN', begin='<HUMAN>: ', end='<eoh>\\n'),
        dict(role='BOT', begin='<BOT>: ', end='<eob>\\n', generate=True),
    ],
)
`
const transcript = `<|im_start|>system
你是书生浦语2，一个无害的人工智能助手<|im_end|>
<|im_start|>user
你好呀<|im_end|>
<|im_start|>assistant
你好，我是书生浦语，请问有什么可以帮助你的吗<|im_end|>
`
const mlcConfig = `{  // mlc-chat-config.json
  "model_lib": "vicuna-v1-7b-q4f32_0",
  "local_id": "vicuna-v1-7b-q4f32_0",
  "conv_template": "vicuna_v1.1",
  "temperature": 0, "max_gen_len": 4,
  ...
}
`
const weather = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }

const folder = folderWith({
  'list.py': promptList,
  'both.py': `${metaTemplate}prompt = ${promptList}`,
  'models.py': `models = [dict(abbr='m', ${metaTemplate.trim().replace('meta_template = ', 'meta_template=')})]\nprompt = ${promptList}`,
  'chat.txt': transcript,
  'mlc-chat-config.json': mlcConfig,
  'asked.json': JSON.stringify({ messages: [{ role: 'user', content: '天气?' }], tools: [weather] }),
  'list.json': JSON.stringify([{ role: 'HUMAN', prompt: '1+1=?' }]),
  'nothing.json': '{"a": 1}',
})
const run = (...words: string[]) => rolecall(words, folder)

describe('every input shown in a document is accepted', () => {
  test('a PromptList beside a meta template, "leave the last BOT sentence for the model to generate"', async () => {
    const { stdout, stderr } = await run('render', 'both.py', '--text')
    expect(stdout).toBe(
      '<HUMAN>: Solve the following math questions<eoh>\n<HUMAN>: 1+1=?<eoh>\n<BOT>: 2<eob>\n<HUMAN>: 2+2=?<eoh>\n<BOT>: ',
    )
    expect(stderr).toContain('the PromptList is read as a conversation: a dataset with one row')
  })

  test('a PromptList beside models', async () => {
    expect((await run('render', 'models.py', '--text')).stdout).toBe((await run('render', 'both.py', '--text')).stdout)
  })

  test('a PromptList alone, in any format', async () => {
    expect((await run('render', 'list.py', '--format', 'chatml', '--text')).stdout).toContain('<|im_start|>user\n2+2=?<|im_end|>\n')
    expect((await run('render', 'list.json', '--format', 'chatml', '--text')).stdout).toContain('<|im_start|>user\n1+1=?<|im_end|>\n')
  })

  test('a transcript of document 004 comes out as it went in, with BOS before it', async () => {
    const { stdout, stderr } = await run('render', 'chat.txt', '--text')
    expect(stdout).toBe(`<s>${transcript}`)
    expect(stderr).toContain("this is a conversation in InternLM2's format")
    expect((await run('tokens', 'chat.txt', '--json')).stdout).toContain('"<|im_end|>"')
  })

  test('messages and tools as JSON', async () => {
    const { stdout, stderr } = await run('render', 'asked.json', '--text')
    expect(stdout).toContain('<|im_start|>system name=<|plugin|>\n[{"name": "get_weather"')
    expect(stderr).toContain('these are chat messages and tools')
    expect(stderr).toContain('rendered in the format internlm2')
    expect((await run('render', 'asked.json', '--format', 'qwen2.5')).stderr).not.toContain('internlm2')
  })

  test('a mlc-chat-config.json, its comments and dots included', async () => {
    const { stdout, stderr } = await run('render', 'mlc-chat-config.json', '--mode', 'gen', '--text')
    expect(stdout).toMatch(/^A chat between a curious user .* ASSISTANT:$/)
    expect(stderr).toContain('this is an mlc-chat-config.json')
    const dry = await run('run', 'mlc-chat-config.json', '--dry-run', '--datasets', 'sums', '--limit', '1')
    expect(dry.stdout).toContain('vicuna-v1-7b-q4f32_0')
    expect(dry.stderr).toContain('using the embedded model in the format of "vicuna-v1-7b-q4f32_0"')
  })

  test('other inputs are still an error', async () => {
    expect(await run('render', 'nothing.json')).toMatchObject({ code: 2 })
  })
})

describe('files that are not configs', () => {
  const page = folderWith({
    Modelfile:
      'FROM llama3\nTEMPLATE """{{ if .System }}<|sys|>{{ .System }}{{ end }}<|user|>{{ .Prompt }}<|assistant|>{{ .Response }}"""\n',
    'chat.txt': transcript,
    'drop.jinja': "{% for m in messages %}{% if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}{% endif %}{% endfor %}<|assistant|>",
    'chat.json': JSON.stringify([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]),
  })

  test('a Modelfile is rendered as a sample chat', async () => {
    expect((await rolecall(['render', 'Modelfile'], page)).stdout).toContain('<|user|>')
  })

  test('a transcript is exported', async () => {
    const { code, stdout, stderr } = await rolecall(['export', 'chat.txt', '-o', 'train.jsonl'], page)
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('1 of 1 conversations')])
  })

  test('a template that drops the system turn is shown as it writes, with a warning, and a run refuses it', async () => {
    const { code, stdout, stderr } = await rolecall(['render', 'chat.json', '--chat-template', 'drop.jinja', '--text'], page)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '<|user|>Hi<|assistant|>' })
    expect(stderr).toContain('leaves out a system turn')
    expect((await rolecall(['run', 'chat.json', '--chat-template', 'drop.jinja', '--dry-run'], page)).code).toBe(2)
  })

  test('run uses the quickstart where a file describes only a format', async () => {
    const { code, stdout, stderr } = await run('run', 'mlc-chat-config.json', '--no-cache', '--limit', '1', '--json', '-w', 'out')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).results.length).toBeGreaterThan(1)
  })
})

describe('view and serve accept them, too', () => {
  const opened = async (file: string) => (await openViewed([join(folder, file)])).configs.map(({ site }) => site)

  test('view: messages, transcripts and PromptLists are one-row datasets; an mlc-chat-config.json is a model', async () => {
    for (const file of ['list.py', 'both.py', 'chat.txt', 'list.json']) {
      const [site] = await opened(file)
      expect({ file, datasets: site!.datasets.length }).toEqual({ file, datasets: 1 })
    }
    expect((await opened('mlc-chat-config.json'))[0]!.models.map(({ name }) => name)).toEqual(['vicuna-v1-7b-q4f32_0'])
    const asked = await openViewed([join(folder, 'asked.json')])
    expect([asked.configs.length, asked.conversations?.length]).toEqual([1, 1])
  })

  test('serve: inputs without a model use the embedded model, with a note', async () => {
    const told = async (file: string) => {
      vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      const { models } = await chosenModels(join(folder, file), {} as never)
      const stderr = vi
        .mocked(process.stderr.write)
        .mock.calls.map(([text]) => String(text))
        .join('')
      vi.mocked(process.stderr.write).mockRestore()
      return { models: models.map(({ type }) => type), stderr }
    }
    for (const file of ['chat.txt', 'asked.json', 'list.json']) expect((await told(file)).models).toEqual(['embedded'])
    for (const file of ['both.py', 'mlc-chat-config.json'])
      expect(await told(file)).toEqual({
        models: ['embedded'],
        stderr: expect.stringContaining('using the embedded model in the format of "'),
      })
    expect(await told('list.py')).toEqual({
      models: ['embedded'],
      stderr: expect.stringContaining('no model given; using the embedded'),
    })
  })

  test('run: a PromptList is asked, with or without a meta template', async () => {
    for (const file of ['both.py', 'list.py']) {
      const { code, stdout, stderr } = await run('run', file, '--no-cache', '--json', '--max-out-len', '2')
      expect(code, stderr).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ results: [{ dataset: 'prompt-list', rows: 1 }] })
    }
  })
})

describe('chat', () => {
  test('uses the format of a config or of a snippet with a meta template', async () => {
    const { stdout } = await run('chat', '--config', 'both.py', '--show-prompt', '--no-tools', '--max-tokens', '2', '1+1=?')
    expect(stdout).toMatch(/⟦?<HUMAN>: ⟧?1\+1=\?⟦?<eoh>/)
    const mlc = await run('chat', '--config', 'mlc-chat-config.json', '--show-prompt', '1+1=?')
    expect(mlc.stdout).toContain('USER: ')
  })

  test('goes on with a conversation of a file', async () => {
    const { stdout, stderr } = await run('chat', '--load', 'chat.txt', '--show-prompt', '--max-tokens', '2', '谢谢')
    expect(stderr).toContain("a conversation in InternLM2's format: 3 messages")
    expect(stdout).toContain('你好，我是书生浦语')
  })

  test('rejects a second model', async () => {
    expect((await run('chat', '--config', 'both.py', '--format', 'chatml', 'Hi')).stderr).toContain('the config already names the model')
  })
})
