import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

// Sentences are compared as a terminal of this width shows them.
beforeEach(() => void vi.stubEnv('COLUMNS', '160'))
afterEach(() => void vi.unstubAllEnvs())

describe('rolecall convert', () => {
  test('prints a chat template, and on standard error its proof and limitations', async () => {
    const { code, stdout, stderr } = await rolecall(['convert', 'vicuna_v1.1', '--to', 'jinja'])
    expect(code).toBe(0)
    expect(stdout).toContain("{{- 'USER: ' -}}")
    expect(stderr).toMatch(
      /vicuna_v1\.1 → jinja: the same in (\d{3}) of \1 generated conversations, byte by byte \(\d+ written\s+alike, \d+ refused by both\)/,
    )
    expect(stderr).toContain('every prompt starts with the token ids [1]')
    expect(stderr).toContain('generation stops at the texts ["</s>"]')
  })

  test('reads its own output from a file', async () => {
    const folder = folderWith({})
    await rolecall(['convert', 'chatml', '--to', 'jinja', '-o', 'chatml.jinja'], folder)
    const { code, stdout, stderr } = await rolecall(['convert', 'chatml.jinja', '--to', 'meta', '--json'], folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { output, proof } = JSON.parse(stdout)
    expect(JSON.parse(output).round[1]).toEqual({ role: 'BOT', begin: '<|im_start|>assistant\n', end: '<|im_end|>\n', generate: true })
    expect(proof).toMatchObject({ equal: true, losses: [], extras: [] })
    writeFileSync(join(folder, 'meta.json'), output)
    const back = await rolecall(['convert', 'meta.json', '--to', 'opencompass'], folder)
    expect(back.stdout).toContain(
      "_meta_template = dict(\n    round=[\n        dict(role='HUMAN', begin='<|im_start|>user\\n', end='<|im_end|>\\n'),",
    )
  })

  test('marks what the model writes in a chat template, and proves that its text is the same', async () => {
    const plain =
      "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}"
    const folder = folderWith({ 'chat.jinja': `${plain}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}` })
    const { code, stderr } = await rolecall(['convert', 'chat.jinja', '--to', 'training', '-o', 'twin.jinja'], folder)
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /marks added in the loop of line 1\n {2}text {2}the same in (\d+) of \1 chats\n {2}mask {2}what the model writes in (\d+) of \2 chats/,
    )
    expect(readFileSync(join(folder, 'twin.jinja'), 'utf8')).toContain('{% generation %}')
    const again = await rolecall(['convert', 'twin.jinja', '--to', 'training', '--proof'], folder)
    expect(again.stdout).toContain('unchanged: it marks what the model writes already')
    expect((await rolecall(['convert', 'chatml', '--to', 'training'], folder)).stderr).toContain('only a chat template has a training twin')
  })

  test('writes how replies are read, for transformers, and checks what others have written', async () => {
    const folder = folderWith({})
    const { code, stdout, stderr } = await rolecall(['convert', 'internlm2', '--to', 'response-template', '-o', 'response.json'], folder)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/internlm2 → response template: (\d+) of \1 replies that the chat template writes/)
    const checked = await rolecall(['convert', 'internlm2', '--to', 'response-template', '--check', 'response.json'], folder)
    expect(checked.code).toBe(0)
    const template = JSON.parse(readFileSync(join(folder, 'response.json'), 'utf8'))
    delete template.fields.tool_calls
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify({ response_template: template }))
    const wrong = await rolecall(['convert', 'internlm2', '--to', 'response-template', '--check', 'tokenizer_config.json'], folder)
    expect(wrong.code).toBe(3)
    expect(wrong.stdout).toContain('differs a call: ')
  })

  test('also compares token ids if given a tokenizer', async () => {
    const { stdout, stderr } = await rolecall([
      'convert',
      'internlm-xcomposer2',
      '--to',
      'meta',
      '--tokenizer',
      join(import.meta.dirname, '../../../embedded-model'),
    ])
    expect(stderr).toMatch(/byte by\s+byte\s+and by the ids of/)
    expect(JSON.parse(stdout).begin).toBe('<s>')
  })

  test('inexpressible formats are an error, and nothing is written', async () => {
    const folder = folderWith({})
    const { code, stdout, stderr } = await rolecall(['convert', 'chatml', '--to', 'mlc', '-o', 'conv.json'], folder)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('mlc cannot express')
    expect(stderr).toContain('--approximate')
    expect(() => readFileSync(join(folder, 'conv.json'))).toThrow('ENOENT')
  })

  test('--approximate lists what is lost, with an example', async () => {
    const { code, stdout, stderr } = await rolecall(['convert', 'chatml', '--to', 'mlc', '--approximate'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).system_template).toBe('<|im_start|>system\n{system_message}<|im_end|>\n')
    expect(stderr).toMatch(
      /lost {2}\d+ conversations without a system message\n[\s\S]*?around\s+an\s+empty\s+text\n\s+e\.g\. user\n\s+source +"/,
    )
  })

  test('selects a model of a config by name; an unknown name is an error', async () => {
    const folder = folderWith({})
    const models = [
      { abbr: 'a', type: 'embedded', format: 'chatml' },
      { abbr: 'b', type: 'embedded', conv_template: 'phi-2' },
    ]
    writeFileSync(join(folder, 'rolecall.config.json'), JSON.stringify({ models, datasets: [] }))
    const chosen = await rolecall(['convert', 'rolecall.config.json', '--model', 'b', '--to', 'jinja'], folder)
    expect(chosen.stdout).toContain('Instruct: ')
    const { code, stderr } = await rolecall(['convert', 'rolecall.config.json', '--to', 'jinja'], folder)
    expect(code).toBe(2)
    expect(stderr).toContain('choose one with --model: a, b')
  })

  test('rejects an unknown name, and a file without a format', async () => {
    const folder = folderWith({})
    writeFileSync(join(folder, 'x.json'), '{"a": 1}')
    expect((await rolecall(['convert', 'chatmll', '--to', 'jinja'], folder)).stderr).toContain('did you mean "chatml"?')
    expect((await rolecall(['convert', 'x.json', '--to', 'jinja'], folder)).stderr).toContain('no conversation format')
  })

  test('reports the switches of a template, which is converted without them', async () => {
    const folder = folderWith({})
    writeFileSync(
      join(folder, 'a.jinja'),
      "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}{{ '<think>' if enable_thinking }}",
    )
    const { stderr } = await rolecall(['convert', 'a.jinja', '--to', 'jinja'], folder)
    expect(stderr).toContain('the template uses the variables enable_thinking; it is converted with them unset')
  })

  test('writes an Ollama Modelfile, and reads it again', async () => {
    const folder = folderWith({})
    await rolecall(['convert', 'internlm-xcomposer2', '--to', 'ollama', '--approximate', '-o', 'Modelfile'], folder)
    expect(readFileSync(join(folder, 'Modelfile'), 'utf8')).toContain('PARAMETER stop "[UNUSED_TOKEN_145]"')
    const { code, stdout, stderr } = await rolecall(['convert', 'Modelfile', '--to', 'meta', '--approximate'], folder)
    expect(code).toBe(0)
    expect(JSON.parse(stdout).round[0]).toEqual({ role: 'HUMAN', begin: '[UNUSED_TOKEN_146]user\n', end: '[UNUSED_TOKEN_145]\n' })
    expect(stderr).toContain('consecutive messages of one role are joined by "\\n\\n", but a meta template writes two turns')
  })
})
