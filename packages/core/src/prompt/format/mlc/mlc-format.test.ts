import { describe, expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../../../../../rolecall/src/evaluation/config/config-schema.ts'
import { quirksOf } from '../../../base/fidelity/quirks.ts'
import { textOf } from '../../../base/text/index.ts'
import { compilePrompt } from '../../compile/compile-prompt.ts'
import { readChat } from '../../conversation/read-chat.ts'
import { compileFormat } from '../compile-format.ts'
import type { Ask, Prompt } from '../format.ts'
import { promptText } from '../prompt-text.ts'

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
]
const system = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve.' }
const dataset = (template: object, ice?: object): DatasetConfig => ({
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: {
    prompt_template: { template, ...(ice ? { ice_token: '</E>' } : {}) },
    ...(ice ? { ice_template: { template: ice } } : {}),
  } as DatasetConfig['infer_cfg'],
})
const row = { question: '1+1=?', answer: '2' }

function render(model: ModelConfig, template: object, mode: 'gen' | 'ppl' = 'gen'): Prompt & { kind: 'completion' } {
  const { prompt } = compilePrompt(model, dataset(template)).render({ row, mode })
  if (prompt.kind !== 'completion') throw new Error('not a completion')
  return prompt
}

const ask = (model: ModelConfig, messages: { role: string; content: string }[], want: Ask['want'] = 'generate') =>
  promptText(compileFormat(model, quirksOf(undefined)).render(readChat({ messages }), { want }))

describe('a dataset in a conversation template', () => {
  test('HUMAN is the first role, BOT the second, and the template’s system text comes first', () => {
    expect(promptText(render({ conv_template: 'vicuna_v1.1' }, { round }))).toBe(
      "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions. USER: 1+1=? ASSISTANT:",
    )
  })

  test('a system turn replaces the text of the system prompt and keeps the markup around it', () => {
    expect(promptText(render({ conv_template: 'llama-2' }, { begin: [system], round }))).toBe(
      '[INST] <<SYS>>\nSolve.\n<</SYS>>\n\n  [INST] 1+1=? [/INST] ',
    )
    expect(promptText(render({ conv_template: 'new/llama-2' }, { begin: [system], round }))).toBe(
      '[INST] <<SYS>>\nSolve.\n<</SYS>>\n\n1+1=? [/INST] ',
    )
  })

  test('a later system turn uses its fallback role, or is an error', () => {
    const late = [{ role: 'HUMAN', prompt: 'Hi' }, system]
    expect(promptText(render({ conv_template: 'vicuna_v1.1', conv_config: { system: '' } }, { begin: late, round }))).toBe(
      'USER: Hi\nSolve.\n1+1=? ASSISTANT:',
    )
    const { fallback_role: _, ...alone } = system
    expect(() => render({ conv_template: 'vicuna_v1.1' }, { begin: [{ role: 'HUMAN', prompt: 'Hi' }, alone], round })).toThrow(
      'infer_cfg.prompt_template.template.begin[1].role: the conversation template "vicuna_v1.1" takes a system text only before everything else. Give the turn a fallback_role, or move it to the start.',
    )
  })

  test('a template without a system slot is an error', () => {
    const { fallback_role: _, ...alone } = system
    expect(() => render({ conv_template: 'llama-4' }, { begin: [alone], round })).toThrow(
      'infer_cfg.prompt_template.template.begin[0].role: the conversation template "llama-4" takes a system text nowhere. Give the turn a fallback_role.',
    )
    expect(promptText(render({ conv_template: 'llama-4' }, { begin: [system], round }))).toContain('user<|header_end|>\n\nSolve.<|eot|>')
  })

  test('perplexity sees everything, and the model’s text is the answer', () => {
    const prompt = render({ conv_template: 'redpajama_chat' }, { round }, 'ppl')
    expect(promptText(prompt)).toBe('<human>: 1+1=?\n<bot>: 2\n')
    expect(textOf(prompt.pieces.slice(prompt.answer!.start, prompt.answer!.end))).toBe('2')
  })

  test('BOS and the template’s ids precede the text', () => {
    const bos = (model: ModelConfig) => [render(model, { round }).bos, render(model, { round }).pieces[0]]
    expect(bos({ conv_template: 'vicuna_v1.1' })).toMatchObject([
      'in-prompt',
      { ids: [1], source: { by: 'tokenizer', path: 'conv_template.add_bos' } },
    ])
    expect(bos({ conv_template: 'vicuna_v1.1', mlc_config: { bos_token_id: 5 } })).toMatchObject(['in-prompt', { ids: [5] }])
    expect(bos({ conv_template: 'glm' })).toMatchObject(['none', { ids: [64790, 64792] }])
    expect(render({ conv_template: 'llama-3' }, { round }).pieces[0]).toMatchObject({ ids: [128000] })
  })

  test('every piece has its path', () => {
    const { pieces } = render({ conv_template: 'redpajama_chat', conv_config: { seps: ['|'] } }, { round })
    expect(pieces.map(({ source, turn }) => `${turn} ${source.by} ${source.path}`)).toEqual([
      '0 format conv_template.roles[0]',
      '0 format conv_template.role_msg_sep',
      '0 field question',
      '0 format conv_config.seps[0]',
      '1 format conv_template.roles[1]',
      '1 format conv_template.role_empty_sep',
    ])
  })

  test('stops are the template’s ids and texts', () => {
    expect(render({ conv_template: 'vicuna_v1.1' }, { round }).stop).toEqual([
      { id: 2, source: { by: 'format', path: 'conv_template.stop_tokens' } },
      { text: '</s>', source: { by: 'format', path: 'conv_template.stop_str' } },
    ])
    expect(render({ conv_template: 'new/stablelm' }, { round }).stop.map((stop) => 'text' in stop)).not.toContain(true)
  })

  test('a turn’s own begin and end win over the template’s', () => {
    const own = [
      { role: 'HUMAN', begin: 'Q> ', prompt: '{question}', end: '\n' },
      { role: 'BOT', begin: 'A> ', prompt: '{answer}' },
    ]
    expect(promptText(render({ conv_template: 'redpajama_chat' }, { round: own }))).toBe('Q> 1+1=?\nA> ')
  })

  test('enable_thinking: false writes an empty thought behind the header of the reply, as WebLLM does', () => {
    const quiet = { chat_template_kwargs: { enable_thinking: false } }
    const header = '<|im_start|>assistant\n'
    expect(promptText(render({ conv_template: 'qwen3' }, { round }))).toMatch(/assistant\n$/)
    const prompt = render({ conv_template: 'qwen3', ...quiet }, { round })
    expect(promptText(prompt).endsWith(`${header}<think>\n\n</think>\n\n`)).toBe(true)
    expect(prompt.pieces.at(-1)).toMatchObject({ control: true, source: { by: 'format', path: 'chat_template_kwargs.enable_thinking' } })
    expect(promptText(render({ conv_template: 'qwen3', ...quiet }, { round }, 'ppl'))).not.toContain('<think>')
    const chat = readChat({ messages: [{ role: 'user', content: 'Hi' }] })
    const written = (model: ModelConfig) => promptText(compileFormat(model, quirksOf(undefined)).render(chat, { want: 'generate' }))
    expect(written({ conv_template: 'qwen3', ...quiet })).toContain(`${header}<think>`)
    expect(written({ conv_template: 'qwen3', chat_template_kwargs: { enable_thinking: true } })).not.toContain('<think>')
    expect(() => render({ conv_template: 'vicuna_v1.1', ...quiet }, { round })).toThrow("document 003's generation")
  })

  test('a string template is the whole prompt, after BOS', () => {
    const maker = compilePrompt({ conv_template: 'vicuna_v1.1' }, { infer_cfg: { prompt_template: { template: 'Q: {question}\nA:' } } })
    const { prompt } = maker.render({ row, mode: 'gen' })
    expect(promptText(prompt)).toBe('Q: 1+1=?\nA:')
    expect(prompt).toMatchObject({ pieces: [{ ids: [1] }, {}, {}, {}] })
  })

  test('markers in a row stay plain text', () => {
    const { pieces } = compilePrompt({ conv_template: 'new/chatml' }, dataset({ round })).render({
      row: { question: '<|im_end|>{user_message}$&{function_string}', answer: '' },
      mode: 'gen',
    }).prompt as Prompt & { kind: 'completion' }
    expect(pieces).toContainEqual(
      expect.objectContaining({
        text: '<|im_end|>{user_message}$&{function_string}',
        control: false,
        source: { by: 'field', path: 'question' },
      }),
    )
  })
})

describe('prepared prompts', () => {
  for (const template of ['vicuna_v1.1', 'llama-2', 'new/llama-2', 'gorilla-openfunctions-v2', 'qwen3', 'conv_one_shot', 'ministral3']) {
    test(`${template}: the same bytes as rendering row by row`, () => {
      const maker = compilePrompt({ conv_template: template }, dataset({ begin: ['Some text.', system, '</E>'], round }, { round }))
      const examples = [row, { question: 'a', answer: '<think>b</think>\n\nc' }, { question: '', answer: 'e' }]
      for (const mode of ['gen', 'ppl'] as const) {
        const prepared = maker.prepare({ mode })
        for (const shots of [[], examples, examples, examples.toReversed(), examples.slice(1), [examples[2]!]]) {
          for (const asked of examples)
            expect(prepared.text(asked, shots)).toBe(promptText(maker.render({ row: asked, examples: shots, mode }).prompt))
        }
      }
    })
  }
})

describe('the language-model styles', () => {
  test('write the user’s text and the model’s output', () => {
    expect(promptText(render({ conv_template: 'old/LM' }, { round }))).toBe('1+1=?')
    expect(promptText(render({ conv_template: 'gpt2', conv_config: { separator_style: 'kLM' } }, { round }, 'ppl'))).toBe('1+1=?2')
  })

  test('refuse text that they would not write, unless joining is enabled', () => {
    expect(() => render({ conv_template: 'old/LM' }, { begin: [system], round })).toThrow(
      'conv_template: this template writes only what the user says last, and something stands before it. Set join_turns on the model, e.g. to "\\n", to write everything one after the other, or use a chat template.',
    )
    expect(promptText(render({ conv_template: 'old/LM', join_turns: '\n' }, { begin: [system], round }))).toBe('Solve.\n1+1=?')
  })
})

describe('document 003', () => {
  const chat = readChat({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'Bye' },
    ],
  })
  const written = (model: ModelConfig) => {
    const prompt = compileFormat(model, quirksOf(undefined)).render(chat, { want: 'generate' })
    return { text: promptText(prompt), notes: prompt.notes }
  }

  test('"the model will not be aware of chat history": with separator_style 1 earlier turns of a chat are left out, with a note', () => {
    expect(written({ conv_template: 'vicuna_v1.1', conv_config: { separator_style: 1 } })).toEqual({
      text: 'Bye',
      notes: [
        {
          code: 'history-left-out',
          where: 'conv_config.separator_style',
          text: 'the template writes only what the user says last: what was said before is left out',
        },
      ],
    })
  })

  test('"the point we start from examples": messages behind the offset are left out, and it is said', () => {
    const messages = [
      ['USER', 'a'],
      ['ASSISTANT', 'b'],
    ]
    const { text, notes } = written({ conv_template: 'vicuna_v1.1', conv_config: { messages, offset: 0 } })
    expect(text).toBe('Be brief. USER: Hi ASSISTANT: Hello!</s>USER: Bye ASSISTANT:')
    expect(notes).toEqual([
      {
        code: 'messages-left-out',
        where: 'conv_config.offset',
        text: '2 messages of the template are left out, as they stand behind the offset',
      },
    ])
  })

  test('system "can be customized to user-defined prompt": the markup around the text stays', () => {
    for (const system of ['<|im_start|>system\nYou help.<|im_end|>', '[INST] <<SYS>>\n\nYou help.\n<</SYS>>\n\n'])
      expect(written({ conv_template: 'vicuna_v1.1', conv_config: { system } }).text).toContain(system.replace('You help.', 'Be brief.'))
  })
})

describe('a chat', () => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'Bye' },
  ]

  test('is sent whole, or only its last round, with the separator that was never sent', () => {
    expect(ask({ conv_template: 'vicuna_v1.1', conv_config: { system: '' } }, messages)).toBe(
      'USER: Hi ASSISTANT: Hello!</s>USER: Bye ASSISTANT:',
    )
    expect(ask({ conv_template: 'vicuna_v1.1' }, messages, 'last-round')).toBe('</s>USER: Bye ASSISTANT:')
    expect(ask({ conv_template: 'llama-3' }, messages, 'last-round')).toBe(
      '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    )
  })

  test('may go on in the middle of a reply', () => {
    const open = messages.slice(0, 2)
    expect(ask({ conv_template: 'redpajama_chat' }, open, 'continue')).toBe('<human>: Hi\n<bot>: Hello!')
    expect(ask({ conv_template: 'chatml_nosystem' }, open, 'continue')).toBe(
      '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello!',
    )
  })
})
