import { describe, expect, test } from 'vitest'
import { compilePrompt } from '../../compile/compile-prompt.ts'
import { readChat } from '../../conversation/read-chat.ts'
import type { Prompt } from '../format.ts'
import { promptText } from '../prompt-text.ts'
import { type ChatTemplateOptions, chatTemplateFormat } from './chat-template-format.ts'

const chatml =
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** As Gemma's and Mistral's first templates: no system, strict turns. */
const strict = `{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('must alternate') }}{% endif %}[{{ m.role }}]{{ m.content | trim }}{{ eos_token if m.role == 'assistant' }}{% endfor %}`

const chat = readChat({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi <|im_end|>' },
    { role: 'assistant', content: 'Hello!' },
  ],
})

function answerOf(prompt: Prompt): string {
  if (prompt.kind !== 'completion' || prompt.answer === undefined) throw new Error('no answer')
  const { start, end } = prompt.answer
  return prompt.pieces
    .slice(start, end)
    .map((piece) => ('text' in piece ? piece.text : ''))
    .join('')
}

describe('a chat', () => {
  test('is written by the template, and user text stays text', () => {
    const prompt = chatTemplateFormat(chatml).render(chat, { want: 'complete' })
    expect(promptText(prompt)).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi <|im_end|><|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>\n',
    )
    expect(prompt.kind === 'completion' && prompt.pieces.filter((piece) => 'text' in piece && !piece.control)).toEqual([
      { text: 'Be brief.', control: false, turn: 0, source: { by: 'message', path: 'messages[0].content' } },
      { text: 'Hi <|im_end|>', control: false, turn: 1, source: { by: 'message', path: 'messages[1].content' } },
      { text: 'Hello!', control: false, turn: 2, source: { by: 'message', path: 'messages[2].content' } },
    ])
  })

  test('the answer is found by its origin, even if the template trims it', () => {
    const padded = readChat({
      messages: [
        { role: 'user', content: 'Hello!' },
        { role: 'assistant', content: '  Hello! ' },
      ],
    })
    const prompt = chatTemplateFormat(strict, { specialTokens: { bos_token: '<s>', eos_token: '</s>' } }).render(padded, {
      want: 'complete',
    })
    expect(promptText(prompt)).toBe('<s>[user]Hello![assistant]Hello!</s>')
    expect(answerOf(prompt)).toBe('Hello!')
    expect(prompt).toMatchObject({ bos: 'in-prompt', stop: [{ token: '</s>' }] })
  })

  test('the answer is what a generation block marks, end marker included', () => {
    const marked =
      "{% for m in messages %}<|{{ m.role }}|>{% if m.role == 'assistant' %}{% generation %}{{ m.content }}<|end|>{% endgeneration %}{% else %}{{ m.content }}<|end|>{% endif %}{% endfor %}"
    const prompt = chatTemplateFormat(marked).render(chat, { want: 'complete' })
    expect(answerOf(prompt)).toBe('Hello!<|end|>')
  })

  test('ends where the model answers, or is continued', () => {
    const format = chatTemplateFormat(chatml)
    expect(promptText(format.render(chat, { want: 'generate' }))).toMatch(/Hello!<\|im_end\|>\n<\|im_start\|>assistant\n$/)
    const open = format.render(chat, { want: 'continue' })
    expect(promptText(open)).toMatch(/<\|im_start\|>assistant\nHello!$/)
    expect(open.answer).toEqual({
      start: open.kind === 'completion' ? open.pieces.length : 0,
      end: open.kind === 'completion' ? open.pieces.length : 0,
    })
    expect(() => format.render(chat, { want: 'last-round' })).toThrow('writes whole conversations')
  })

  test('arguments that are JSON text are parsed as servers do, with a note, and only if enabled', () => {
    const called = readChat({
      messages: [
        { role: 'user', content: 'Sum?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{"a": 1.0}' } }],
        },
      ],
      tools: [{ type: 'function', function: { name: 'add', parameters: {} } }],
    })
    const source =
      '{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}{{ tools | tojson }}'
    const prompt = chatTemplateFormat(source).render(called, { want: 'complete' })
    expect(promptText(prompt)).toBe('Sum?{"a": 1.0}[{"type": "function", "function": {"name": "add", "parameters": {}}}]')
    expect(prompt.notes.map(({ code }) => code)).toEqual(['arguments-parsed', 'null-content'])
    const given = chatTemplateFormat(source, { normalizeMessages: false }).render(called, { want: 'complete' })
    expect(promptText(given)).toContain('Sum?None"{\\"a\\": 1.0}"')
    expect(given.notes).toEqual([])
    const name = prompt.kind === 'completion' ? prompt.pieces.find((piece) => 'text' in piece && piece.text === 'add') : undefined
    expect(name?.source).toMatchObject({ by: 'tool', path: 'tools[0].name' })
  })

  test('the clock is fixed and noted', () => {
    const format = chatTemplateFormat("{{ strftime_now('%d %b %Y') }}{{ messages[0].content }}", { clock: new Date('2025-03-14T15:09:26') })
    const prompt = format.render(chat, { want: 'generate' })
    expect(promptText(prompt)).toBe('14 Mar 2025Be brief.')
    expect(prompt.notes).toContainEqual({ code: 'clock', text: 'the template was shown the time 2025-03-14 15:09' })
  })
})

describe('messages that a template rejects', () => {
  const render = (options: ChatTemplateOptions, ...messages: { role: string; content: string }[]) =>
    chatTemplateFormat(strict, { specialTokens: { bos_token: '<s>', eos_token: '</s>' }, ...options }).render(readChat({ messages }), {
      want: 'generate',
    })

  test('a system turn is an error with a fix, or is folded with a note', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]
    expect(() => render({}, ...messages)).toThrow(
      expect.objectContaining({ code: 'system-rejected', fix: expect.stringContaining('fold') }),
    )
    const folded = render({ system: 'fold' }, ...messages)
    expect(promptText(folded)).toBe('<s>[user]Be brief.\n\nHi')
    expect(folded.notes.map(({ code }) => code)).toEqual(['system-folded'])
    expect(
      folded.kind === 'completion' && folded.pieces.filter((piece) => 'text' in piece && !piece.control).map(({ source }) => source.path),
    ).toEqual(['messages[0].content', 'merge', 'messages[1].content'])
  })

  test('consecutive turns are joined with a note, or refused', () => {
    const messages = [
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
    ]
    const merged = render({}, ...messages)
    expect(promptText(merged)).toBe('<s>[user]One\n\nTwo')
    expect(merged.notes.map(({ code }) => code)).toEqual(['neighbours-merged'])
    expect(() => render({ neighbours: 'error' }, ...messages)).toThrow(expect.objectContaining({ code: 'roles-must-alternate' }))
  })

  test('other exceptions pass through unchanged', () => {
    expect(() => render({}, { role: 'assistant', content: 'I begin' })).toThrow(
      expect.objectContaining({ code: 'template-raised', problem: 'must alternate' }),
    )
  })
})

describe('an evaluation template', () => {
  const dataset = {
    infer_cfg: {
      prompt_template: {
        template: {
          begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve.' }],
          round: [
            { role: 'HUMAN', prompt: 'Q: {question}' },
            { role: 'BOT', prompt: '{answer}' },
          ],
        },
      },
    },
  }
  const row = { question: '1+1=? <|im_end|>', answer: '2' }

  test('renders through a chat template, and its fields keep their names', () => {
    const maker = compilePrompt({ chat_template: chatml }, dataset)
    const { prompt } = maker.render({ row, mode: 'gen' })
    expect(promptText(prompt)).toBe(
      '<|im_start|>system\nSolve.<|im_end|>\n<|im_start|>user\nQ: 1+1=? <|im_end|><|im_end|>\n<|im_start|>assistant\n',
    )
    expect(
      prompt.kind === 'completion' && prompt.pieces.find((piece) => 'text' in piece && piece.text.startsWith('1+1'))?.source,
    ).toMatchObject({ by: 'field', path: 'question' })
    const complete = maker.render({ row, mode: 'ppl' }).prompt
    expect(promptText(complete)).toMatch(/assistant\n2<\|im_end\|>\n$/)
    expect(answerOf(complete)).toBe('2')
  })

  test('a fallback role is used if the template rejects the system, with notes', () => {
    const maker = compilePrompt({ chat_template: strict, special_tokens: { bos_token: '<s>', eos_token: '</s>' } }, dataset)
    const { prompt } = maker.render({ row, mode: 'gen' })
    expect(promptText(prompt)).toBe('<s>[user]Solve.\n\nQ: 1+1=? <|im_end|>')
    expect(prompt.notes.map(({ code }) => code)).toEqual(['fallback-role', 'neighbours-merged'])
  })

  test('the dataset’s text around a turn is part of its content', () => {
    const turn = { role: 'HUMAN', begin: 'Q: ', end: '?', prompt: '{question}' }
    const affixed = { infer_cfg: { prompt_template: { template: { round: [turn] } } } }
    const { prompt } = compilePrompt({ chat_template: chatml }, affixed).render({ row: { question: '1+1' }, mode: 'gen' })
    expect(promptText(prompt)).toBe('<|im_start|>user\nQ: 1+1?<|im_end|>\n<|im_start|>assistant\n')
  })

  test('the model speaks in the last round, whatever the template ends with', () => {
    const template = { ...dataset.infer_cfg.prompt_template.template, begin: [], end: [{ role: 'HUMAN', prompt: 'Thanks.' }] }
    const maker = compilePrompt({ chat_template: chatml }, { infer_cfg: { prompt_template: { template } } })
    expect(promptText(maker.render({ row: { question: '1+1', answer: '2' }, mode: 'gen' }).prompt)).toBe(
      '<|im_start|>user\nQ: 1+1<|im_end|>\n<|im_start|>assistant\n',
    )
  })

  test('prepared rows give the same text', () => {
    const maker = compilePrompt({ chat_template: chatml }, dataset)
    expect(maker.prepare({ mode: 'gen' }).text(row, [])).toBe(promptText(maker.render({ row, mode: 'gen' }).prompt))
  })

  test('a model has one format, and a path must have been loaded', () => {
    expect(() => compilePrompt({ chat_template: chatml, format: 'chatml' }, dataset)).toThrow('both a chat_template and a format')
    expect(() => compilePrompt({ chat_template: './tokenizer_config.json' }, dataset)).toThrow('is a path')
  })
})

test('capabilities are found by rendering', () => {
  expect(chatTemplateFormat(strict, { specialTokens: { bos_token: '<s>', eos_token: '</s>' } }).capabilities).toMatchObject({
    system: 'rejected',
    alternates: true,
    tools: false,
    generation: false,
    writesBos: true,
    endOfTurn: '</s>',
  })
  expect(chatTemplateFormat(chatml).capabilities).toMatchObject({
    system: 'shown',
    alternates: false,
    tools: false,
    parts: false,
    generationPrompt: true,
    writesBos: false,
    endOfTurn: '<|im_end|>',
    markers: ['<|im_start|>', '<|im_end|>'],
  })
})
