import { expect, test } from 'vitest'
import { readChat } from '../../conversation/read-chat.ts'
import { compileFormat } from '../compile-format.ts'
import { promptText } from '../prompt-text.ts'

const modelfile = `FROM tiny
TEMPLATE """{{ if .System }}[{{ .System }}] {{ end }}Q: {{ .Prompt }} A: {{ .Response }}"""
SYSTEM "Be brief."
PARAMETER stop "Q:"
`

test('a model has the template, system text and stops of its Modelfile', () => {
  const format = compileFormat({ ollama_template: modelfile }, new Set())
  const prompt = format.render(readChat({ messages: [{ role: 'user', content: 'Hi' }] }), { want: 'generate' })
  expect(promptText(prompt)).toBe('[Be brief.] Q: Hi A: ')
  expect(prompt.stop).toMatchObject([{ text: 'Q:' }])
})

test.each([
  ['format', 'chatml'],
  ['chat_template', '{{ messages }}'],
  ['conv_template', 'vicuna_v1.1'],
])('a model with another format as well (%s) is refused', (key, value) => {
  expect(() => compileFormat({ abbr: 'mine', ollama_template: modelfile, [key]: value }, new Set())).toThrow(
    expect.objectContaining({ code: 'two-formats', where: 'mine › ollama_template', problem: expect.stringContaining(key) }),
  )
})
