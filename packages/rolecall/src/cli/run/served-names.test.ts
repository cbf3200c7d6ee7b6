import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

const config = (port: number) => `from ais_bench.benchmark.models import VLLMCustomAPIChat
models = [dict(attr='service', type=VLLMCustomAPIChat, abbr='served', path='', model='', host_ip='127.0.0.1', host_port=${port})]
datasets = [dict(abbr='d', rows=[dict(q='1+1', a='2')], reader_cfg=dict(input_columns=['q'], output_column='a'),
    infer_cfg=dict(prompt_template=dict(template='{q}')))]
`

test('an AISBench model without a name is called what its server calls it', async () => {
  const asked: string[] = []
  let names = ['qwen', 'other']
  const server = await scriptedServer(({ path, body }) => {
    if (path.endsWith('/models')) return { json: { data: names.map((id) => ({ id })) } }
    asked.push(JSON.parse(body).model)
    return { json: { choices: [{ message: { content: '2' }, finish_reason: 'stop' }] } }
  })
  const folder = folderWith({ 'eval.py': config(server.port) })
  const run = (...flags: string[]) => rolecall(['run', 'eval.py', '--no-cache', ...flags], folder)
  const planned = await run('--dry-run')
  expect(planned.stdout).toMatch(/^served +d /m)
  expect(planned.stdout).not.toContain('cannot run')
  expect(server.seen).toEqual([])
  const { stderr, code } = await run()
  expect({ code, asked }).toEqual({ code: 0, asked: ['qwen'] })
  expect(stderr).toContain(`using qwen, the first of 2 models at http://127.0.0.1:${server.port}/v1`)
  names = []
  const none = await run()
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('/v1/models names no model')
  await server.close()
  expect((await run()).stderr).toContain('/v1/models does not answer as a server of models does')
})
