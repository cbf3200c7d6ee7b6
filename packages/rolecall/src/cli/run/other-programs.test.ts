import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import type { Listening } from '../../server/listen.ts'
import { serve } from '../../server/serve-models.ts'

let server: Listening
beforeAll(async () => {
  server = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })
})
afterAll(() => server?.close())
beforeEach(() => {
  for (const name of ['OPENAI_BASE_URL', 'HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, undefined)
})

const sums = `
sums_datasets = [dict(abbr='sums', rows=[dict(question='12+30=?', answer='42'), dict(question='1+1=?', answer='2')],
    reader_cfg=dict(input_columns=['question'], output_column='answer'),
    infer_cfg=dict(prompt_template=dict(type=PromptTemplate, template=dict(round=[
        dict(role='HUMAN', prompt='{question}'), dict(role='BOT', prompt='{answer}')])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer, max_out_len=8)),
    eval_cfg=dict(evaluator=dict(type=AccEvaluator)))]
`
const chat = `
from opencompass.models import VLLMwithChatTemplate
models = [dict(type=VLLMwithChatTemplate, abbr='chat-7b', path='tiny', max_out_len=8, batch_size=2, run_cfg=dict(num_gpus=1))]
`
const template =
  '{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}'
const files = {
  'opencompass/configs/datasets/sums/sums_gen.py': sums,
  'opencompass/configs/datasets/old/twice.py': sums,
  'opencompass/configs/datasets/new/twice.py': sums,
  'opencompass/configs/models/chat/vllm_chat_7b.py': chat,
  'opencompass/configs/models/base/base_1b.py': "models = [dict(type='HuggingFaceBaseModel', abbr='base-1b', path='tiny')]",
}

describe('OpenCompass config files by name, from its folder', { timeout: 60_000 }, () => {
  test('a model is queried at the server given with it, and scored', async () => {
    const folder = folderWith(files)
    const args = ['run', '--datasets', 'sums_gen', '--models', `vllm_chat_7b=${server.url}/v1`, '--no-cache', '--json']
    const { code, stdout, stderr } = await rolecall(args, folder, { OPENAI_API_KEY: 'none' })
    expect(stderr).toContain('its chat template is not on this machine: messages are sent, and the server renders them with its own')
    expect(code, stderr).toBe(0)
    const { results, name } = JSON.parse(stdout) as { name: string; results: { model: string; dataset: string; rows: number }[] }
    expect(results).toMatchObject([{ model: 'chat-7b', dataset: 'sums', rows: 2 }])
    expect(name).toBe('sums_gen')
  })

  test('accepts one address for all models, and several names', async () => {
    const args = ['run', '--datasets', 'sums_gen', '--models', 'vllm_chat_7b,base_1b', '--base-url', 'http://127.0.0.1:9/v1', '--dry-run']
    const { code, stdout, stderr } = await rolecall(args, folderWith(files))
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/chat-7b[\s\S]*base-1b/)
  })

  test('accepts patterns, and an address for the models that match one', async () => {
    const args = ['run', '--datasets', 'sums_*', '--models', '*_7b=http://127.0.0.1:9/v1', '--dry-run']
    const { code, stdout, stderr } = await rolecall(args, folderWith(files))
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('chat-7b')
    expect(stdout).not.toContain('base-1b')
  })

  test('rejects an unknown name and a missing model, and warns of an ambiguous name', async () => {
    const folder = folderWith(files)
    const told = async (...args: string[]) => (await rolecall(['run', ...args, '--dry-run'], folder)).stderr
    expect(await told('--datasets', 'sum_gen', '--models', 'embedded')).toMatch(
      /no config file sum_gen\.py in opencompass\/configs\/datasets[\s\S]*"sums_gen"/,
    )
    expect(await told('--datasets', 'twice', '--models', 'embedded')).toMatch(/warning 2 files are called twice\.py: .*twice\.py/)
    expect(await told('--datasets', 'sums_gen')).toMatch(/no models given/)
  })

  test('a model may also be given as for --model', async () => {
    const { stdout } = await rolecall(['render', '--datasets', 'sums_gen', '--models', 'embedded', '--text'], folderWith(files))
    expect(stdout).toContain('12+30=?')
  })
})

describe("a model rendered with its tokenizer's chat template", { timeout: 60_000 }, () => {
  const config = `${sums}${chat}`

  test('is rejected if the template is not available, with fixes', async () => {
    const { code, stdout, stderr } = await rolecall(['render', 'eval.py'], folderWith({ 'eval.py': config }))
    expect(stderr).toMatch(/VLLMwithChatTemplate writes prompts in the chat template[\s\S]*"tokenizer_path"[\s\S]*--models chat-7b=http/)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test('uses the template in its folder, with a note', async () => {
    const folder = folderWith({
      'eval.py': config.replace("path='tiny'", "path='weights/chat'"),
      'weights/chat/chat_template.jinja': template,
    })
    const { stdout, stderr } = await rolecall(['render', 'eval.py', '--text'], folder)
    expect(stdout).toContain('<user>12+30=?<assistant>')
    expect(stderr).toContain('its prompts are rendered with the chat template of weights/chat/chat_template.jinja')
  })

  test('uses the template given by a flag, in every command', async () => {
    const folder = folderWith({ 'eval.py': config, 'mine.jinja': template })
    expect((await rolecall(['render', 'eval.py', '--text', '--chat-template', 'mine.jinja'], folder)).stdout).toContain('<user>12+30')
    const run = await rolecall(['run', 'eval.py', '--dry-run', '--chat-template', 'mine.jinja'], folder)
    expect(run.stdout).toContain('chat-7b')
  })

  test('uses a named format instead of its own', async () => {
    const { stdout } = await rolecall(['render', 'eval.py', '--text', '--format', 'chatml'], folderWith({ 'eval.py': config }))
    expect(stdout).toContain('<|im_start|>user')
  })

  test('is sent to a server as text, rendered with the template in its folder', async () => {
    const folder = folderWith({ 'eval.py': config, 'tiny/chat_template.jinja': template })
    const { stdout } = await rolecall(['render', 'eval.py', '--text', '--models', 'chat-7b=http://127.0.0.1:9/v1'], folder)
    expect(stdout).toContain('<user>12+30=?<assistant>')
  })
})

test('an invalid address is rejected', async () => {
  const folder = folderWith({ 'eval.py': `${sums}${chat}` })
  expect((await rolecall(['run', 'eval.py', '--models', 'chat-7b=localhost'], folder)).stderr).toMatch(/"chat-7b=localhost" has no URL/)
  expect((await rolecall(['run', 'eval.py', '--base-url', 'localhost'], folder)).stderr).toMatch(/"localhost" has no URL/)
  expect((await rolecall(['run', 'eval.py', '--judge', 'mine'], folder)).stderr).toMatch(/"mine" has no URL[\s\S]*--judge MODEL@http/)
})

test('--judge is the judge of every dataset that has one', async () => {
  const model = { abbr: 'm', type: 'openai', path: 'tiny', base_url: `${server.url}/v1`, max_out_len: 8 }
  const evaluator = { type: 'GenericLLMEvaluator', judge_cfg: {}, prompt_template: { template: '{prediction}: A or B?' } }
  const dataset = { abbr: 'd', rows: [{ q: '1+1=?', a: '2' }], reader_cfg: { output_column: 'a' } }
  const judged = { ...dataset, infer_cfg: { prompt_template: { template: '{q}' } }, eval_cfg: { evaluator } }
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify({ models: [model], datasets: [judged] }) })
  const plain = folderWith({ 'rolecall.config.json': JSON.stringify({ models: [model], datasets: [{ ...judged, eval_cfg: {} }] }) })
  const args = ['run', '--no-cache', '--json', '--judge', `strict@${server.url}/v1`]
  const { stdout } = await rolecall(args, folder)
  // The server has no such model: the judge was asked for.
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'no-such-model', where: 'strict › path' })
  expect((await rolecall(['run', '--no-cache', '--json'], folder)).stderr).toContain('it names no judge: pass --judge MODEL@URL')
  expect((await rolecall(args, plain)).stderr).toContain('no dataset of the config has a judge')
})

test('a config of ours can also use another server', async () => {
  const model = { abbr: 'm', type: 'openai', path: 'tiny', base_url: 'http://127.0.0.1:9/v1', max_out_len: 8 }
  const dataset = { abbr: 'd', rows: [{ q: '1+1=?' }], infer_cfg: { prompt_template: { template: '{q}' } } }
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify({ models: [model], datasets: [dataset] }) })
  const args = ['run', '--base-url', `${server.url}/v1`, '--no-cache', '--json']
  const { code, stderr } = await rolecall(args, folder, { OPENAI_API_KEY: 'none' })
  expect(code, stderr).toBe(0)
}, 60_000)
