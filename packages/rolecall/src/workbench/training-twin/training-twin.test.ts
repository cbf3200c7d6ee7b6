import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { compileTemplate } from '@rolecall/core/internal/jinja'
import { expect, test } from 'vitest'
import { trainingTwin } from './training-twin.ts'

const opening = "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
const twinOf = (source: string) => trainingTwin(source, compileTemplate, { name: 'test' })
const chat = {
  messages: [
    { role: 'user', content: 'Say <|im_end|>' },
    { role: 'assistant', content: ' No. ' },
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'So.' },
  ],
}

function marked(source: string): string[] {
  const { text, generation } = compileTemplate(source).renderMarked(chat)
  return generation.map(({ start, end }) => text.slice(start, end))
}

test.each([
  [
    'one line for all roles',
    `{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}${opening}`,
    [' No. <|im_end|>', 'So.<|im_end|>'],
  ],
  [
    'white space around its tags',
    `{%- for m in messages %}\n    {%- if m.role == 'user' %}\n<|im_start|>user\n{{ m.content }}<|im_end|>\n    {%- else %}\n<|im_start|>{{ m.role }}\n{{ m.content | trim }}<|im_end|>\n    {%- endif %}\n\n{% endfor %}${opening}`,
    ['No.<|im_end|>', 'So.<|im_end|>'],
  ],
  [
    'a loop that counts',
    `{% for i in range(messages | length) %}{% set m = messages[i] %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}${opening}`,
    [' No. <|im_end|>', 'So.<|im_end|>'],
  ],
  [
    'marks of its own that hold the header',
    `{#- {% generation %} marks answers -#}{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}<|im_start|>assistant\n{{ m.content }}<|im_end|>\n{% endgeneration %}{% else %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endif %}{% endfor %}${opening}`,
    [' No. <|im_end|>', 'So.<|im_end|>'],
  ],
])('%s: the twin marks what the model writes, and its text is the same', (_, source, expected) => {
  const twin = twinOf(source)
  expect(marked(twin.source)).toEqual(expected)
  expect(compileTemplate(twin.source).render(chat)).toBe(compileTemplate(source).render(chat))
  const { chats, sameText, decided, sameMask, differences } = twin.proof
  expect({ sameText, sameMask, differences }).toEqual({ sameText: chats, sameMask: decided, differences: [] })
  expect(chats).toBeGreaterThan(30)
  expect(twinOf(twin.source).isUnchanged).toBe(true)
})

test.each([
  [
    'a generation prompt that the finished turn does not have',
    `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n<answer>\n{% endif %}`,
    'never begins with its generation prompt',
  ],
  [
    'a macro that writes messages',
    `{% macro all() %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% endmacro %}{{ all() }}${opening}`,
    'outside of macros',
  ],
  ['a template that refuses everything', `{{ raise_exception('no') }}`, 'renders none of the chats'],
])('%s has no twin, and the error says why', (_, source, problem) => {
  expect(() => twinOf(source)).toThrow(problem)
})

const newest = new URL('../../../../../../shared/templates-2026/', import.meta.url)
test.skipIf(!existsSync(newest))('twins of templates of 2026 are proven (needs ../shared)', () => {
  const files = readdirSync(newest).filter((file) => /^(?:Qwen3-Coder|Mistral-Small|MiniMax-M2|ibm-granite-granite-4)/.test(file))
  expect(files).toHaveLength(4)
  for (const file of files) {
    const { proof } = twinOf(readFileSync(new URL(file, newest), 'utf8'))
    expect([file, proof.sameText, proof.sameMask]).toEqual([file, proof.chats, proof.decided])
  }
})
