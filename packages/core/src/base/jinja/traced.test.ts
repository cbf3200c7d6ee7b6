import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isolatedTemplate } from '../../../../rolecall/src/node/templates/isolated-template.ts'
import { type ChatInput, renderChat, renderChatPieces } from './render-chat.ts'
import { compileTemplate, type JinjaTemplate } from './template.ts'

const source = `{%- for m in messages %}
  {{- '<|' + m.role + '|>' ~ (m.content if m.content else "none") }}<end>
{% endfor %}
{%- if add_generation_prompt %}{{ '<|assistant' + '|>' }}{% endif %}`
const chat: ChatInput = { messages: [{ role: 'user', content: 'Hi' }], addGenerationPrompt: true }

/** The template's own text, beside the code that wrote it. */
function literals(template: JinjaTemplate): [text: string, code: string][] {
  return renderChatPieces(template, chat).pieces.flatMap(({ text, source: { by, span } }) =>
    by === 'format' ? [[text, span === undefined ? '' : source.slice(...span)] as [string, string]] : [],
  )
}

test('a traced template records which literal it wrote', () => {
  const expected = [
    ['<|', "'<|'"],
    ['|>', "'|>'"],
    ['<end>\n', '<end>\n'],
    ['<|assistant', "'<|assistant'"],
    ['|>', "'|>'"],
  ]
  expect(literals(compileTemplate(source, { isTraced: true }))).toEqual(expected)
  expect(literals(isolatedTemplate(source, { isTraced: true }))).toEqual(expected)
})

test('a traced template records which statement wrote what, including values of messages', () => {
  const { text, written = [] } = compileTemplate(source, { isTraced: true }).renderPieces(
    { messages: [{ role: 'user', content: 'Hi' }], add_generation_prompt: true },
    (name) => ({ by: 'message', path: name }),
  )
  expect(written.map(({ start, end, span }) => [text.slice(start, end), source.slice(...span)])).toEqual([
    ['<|user|>Hi', `{{- '<|' + m.role + '|>' ~ (m.content if m.content else "none") }}`],
    ['<|assistant|>', "{{ '<|assistant' + '|>' }}"],
  ])
  expect(compileTemplate('{{ 1 }}').renderPieces({}, (name) => ({ by: 'message', path: name })).written).toBeUndefined()
})

test('without tracing, literals have no position', () => {
  expect(literals(compileTemplate(source)).map(([, code]) => code)).toEqual(['', '', ''])
})

test('steps grow with the work', () => {
  const nested = compileTemplate('{% for m in messages %}{% for n in messages %}.{% endfor %}{% endfor %}')
  const steps = (count: number) => renderChatPieces(nested, { messages: Array(count).fill({ role: 'user', content: '' }) }).steps
  expect(steps(40) / steps(20)).toBeGreaterThan(3.5)
})

const shared = fileURLToPath(new URL('../../../../../../shared/conformance/chat/', import.meta.url))

test.skipIf(!existsSync(shared))('tracing changes no text of real templates (skipped without ../shared)', () => {
  const read = (file: string) =>
    readFileSync(`${shared}${file}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const cases = read('jinja_cases.jsonl').filter((_, index) => index % 6 === 0)
  const clock = new Date('2025-03-14T15:09:26')
  const attempt = (write: () => string): string => {
    try {
      return write()
    } catch (error) {
      return String(error)
    }
  }
  const wrong: string[] = []
  for (const { id, template, tokens } of read('jinja_templates.jsonl')) {
    const [plain, traced] = [compileTemplate(template), compileTemplate(template, { isTraced: true })]
    for (const { id: name, messages, tools, documents, add_generation_prompt: addGenerationPrompt, kwargs } of cases) {
      const input: ChatInput = { messages, tools, documents, addGenerationPrompt, tokens, kwargs }
      const one = attempt(() => renderChat(plain, input, { clock }).text)
      const other = attempt(() => renderChatPieces(traced, input, { clock }).text)
      if (one !== other) wrong.push(`${id} ${name}`)
    }
  }
  expect(wrong).toEqual([])
})
