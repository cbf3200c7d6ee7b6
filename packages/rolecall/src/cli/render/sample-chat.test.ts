import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

// Sentences are compared as a terminal of this width shows them.
beforeEach(() => void vi.stubEnv('COLUMNS', '100'))
afterEach(() => void vi.unstubAllEnvs())

const chatml = '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n'
const qwen = `{% if tools %}<|im_start|>system
{% for t in tools %}{{ t | tojson }}{% endfor %}<|im_end|>
{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}
{% if m.reasoning_content and loop.index0 > ns %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{{ {'name': c.function.name, 'arguments': c.function.arguments} | tojson }}</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`.replace('loop.index0 > ns', 'true')
const noSystem =
  "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}[{{ m.role }}]{{ m.content }}{% endfor %}"
const noCalls =
  "{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}{% if m.tool_calls %}{{ raise_exception('no calls') }}{% endif %}[{{ m.role }}]{{ m.content }}{% endfor %}"

const folder = folderWith({
  'chatml.jinja': chatml,
  'qwen.jinja': qwen,
  'no-system.jinja': noSystem,
  'no-calls.jinja': noCalls,
  'broken.jinja': '{% for %}',
  'mlc/mlc-chat-config.json': JSON.stringify({ conv_template: 'llama-2', local_id: 'l2' }),
})
const render = (...words: string[]) => rolecall(['render', ...words], folder)

describe('a format without a config is shown in one short chat', () => {
  test('a template that writes only text', async () => {
    const { stdout, stderr } = await render('--chat-template', 'chatml.jinja')
    expect(stdout.match(/^╭─/gm)).toHaveLength(1)
    expect(stdout).toContain('│ You are a helpful assistant.⟦<|im_end|>⟧')
    expect(stdout).toContain(
      '   system text: a turn like the others\n   tools: cannot be described to the model\n   reasoning: not written',
    )
    expect(stderr).toContain('render FILE    your own chat or config; above is a sample chat')
    // There is no tokenizer beside it.
    expect(stdout).not.toContain('tokens by')
  })

  test('a template that writes tools and reasoning shows a tool, a call and its result', async () => {
    const { stdout } = await render('--chat-template', 'qwen.jinja', '--text')
    expect(stdout).toContain('"name": "get_weather"')
    expect(stdout).toContain(
      '<think>I need the weather.</think><tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>',
    )
    expect(stdout).toContain('{"temperature": 18}')
    const facts = (await render('--chat-template', 'qwen.jinja')).stdout
    expect(facts).toContain('tools: described to the model')
    expect(facts).toContain('reasoning: <think>…</think>; earlier turns keep theirs')
  })

  test('a template that rejects system text or calls is shown without them, which is reported', async () => {
    const { stdout } = await render('--chat-template', 'no-system.jinja')
    expect(stdout).toContain('system text: rejected by the template; system_policy: fold puts it before the first user text')
    const calls = (await render('--chat-template', 'no-calls.jinja')).stdout
    expect(calls).toContain('the template fails on a tool call: no calls')
    expect(calls).toContain('How is the weather in Paris?')
  })

  test('a GGUF file has its tokenizer in it; --tokenizer gives another', async () => {
    const gguf = fileURLToPath(new URL('../../../embedded-model/tiny-chat.q8_0.gguf', import.meta.url))
    expect((await render('--chat-template', gguf)).stdout).toMatch(/ {3}\d+ tokens by tiny-chat.q8_0.gguf: format \d+, field \d+/)
    expect((await render('--chat-template', 'chatml.jinja', '--tokenizer', gguf)).stdout).toContain('tokens by tiny-chat.q8_0.gguf')
  })

  test('also a built-in format, an MLC conversation template and an mlc-chat-config.json', async () => {
    expect((await render('--format', 'internlm2', '--text')).stdout).toContain(
      '<|im_start|>system name=<|plugin|>\n[{"name": "get_weather"',
    )
    expect((await render('--conv-template', 'vicuna_v1.1', '--text')).stdout).toContain(
      'USER: What is 2+2? ASSISTANT: 4</s>USER: And 3+3? ASSISTANT:',
    )
    const config = await render('mlc/mlc-chat-config.json')
    expect(config.stdout).toContain('⟦ [INST] ⟧And 3+3?⟦ [/INST] ⟧')
  })

  test('tokens shows the same chat', async () => {
    expect((await rolecall(['tokens', '--format', 'chatml'], folder)).stdout).toContain('sample chat · row 0 · chatml')
  })

  test('without a format, the first prompts of the built-in example are shown, and -a shows all', async () => {
    expect((await render('-a')).stdout.match(/^╭─/gm)).toHaveLength(6)
    const { stdout, stderr } = await rolecall(['render'], undefined, { COLUMNS: '80' })
    expect(stdout).toMatch(/\n\n\d more prompts: mmlu · chatml, mmlu · api and 3 more\. -a shows all\n/)
    expect(`${stdout}${stderr}`.split('\n').length).toBeLessThanOrEqual(25)
  })

  test('a broken template is an error', async () => {
    expect(await render('--chat-template', 'broken.jinja')).toMatchObject({ code: 2, stdout: '' })
  })
})
