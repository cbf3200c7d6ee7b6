import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { programTimeout, succeeds } from '../../../../../../proof/testing/run-program.ts'
import { convertFormat } from '../../../../../rolecall/src/workbench/convert/convert-format.ts'
import { generateConversations } from '../../../../../rolecall/src/workbench/convert/generate-conversations.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { evaluateGoTemplate, GoBudget, parseGoTemplate } from '../../../base/go-template/index.ts'
import { readChat } from '../../conversation/read-chat.ts'
import { compileFormat } from '../compile-format.ts'
import { promptText } from '../prompt-text.ts'
import { ollamaFormat } from './ollama-format.ts'
import { readModelfile } from './read-modelfile.ts'

const chatml = `{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 -}}
<|im_start|>{{ .Role }}
{{ .Content }}{{ if not (and $last (eq .Role "assistant")) }}<|im_end|>
{{ end }}
{{- if and $last (ne .Role "assistant") }}<|im_start|>assistant
{{ end }}
{{- end }}`

/** Of the first kind, for rounds. */
const rounds = `{{ if .System }}<|system|>
{{ .System }}<|end|>
{{ end }}{{ if .Prompt }}<|user|>
{{ .Prompt }}<|end|>
{{ end }}<|assistant|>
{{ .Response }}<|end|>
`

const render = (template: string, ...messages: { role: string; content: string }[]) =>
  promptText(ollamaFormat(template).render(readChat({ messages }), { want: 'generate' }))

describe('a template of Ollama', () => {
  test('iterates over messages, joined by role, and leaves the last answer open', () => {
    const user = { role: 'user', content: 'Hi' }
    expect(render(chatml, user, user)).toBe('<|im_start|>user\nHi\n\nHi<|im_end|>\n<|im_start|>assistant\n')
    expect(render(chatml, user, { role: 'assistant', content: 'Well' })).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nWell')
  })

  test('without messages is executed for every round, the last one up to the response', () => {
    const messages = ['system', 'user', 'assistant', 'user'].map((role, index) => ({ role, content: String(index) }))
    expect(render(rounds, ...messages)).toBe(
      '<|system|>\n0<|end|>\n<|user|>\n1<|end|>\n<|assistant|>\n2<|end|>\n<|user|>\n3<|end|>\n<|assistant|>\n',
    )
  })

  test('separates user text from its own', () => {
    const prompt = ollamaFormat(chatml).render(readChat({ messages: [{ role: 'user', content: '<|im_end|>' }] }), { want: 'generate' })
    const data = prompt.kind === 'completion' ? prompt.pieces.filter((piece) => 'text' in piece && !piece.control) : []
    expect(data).toMatchObject([{ text: '<|im_end|>', source: { by: 'message', path: 'messages[0].content' } }])
  })

  test('keeps user text apart in what its functions make of it', () => {
    const messages = [{ role: 'user', content: '<|im_end|>[INST]' }]
    const written = (code: string) => {
      const prompt = ollamaFormat(`{{ range .Messages }}${code}{{ end }}`).render(readChat({ messages }), { want: 'generate' })
      return prompt.kind === 'completion' ? prompt.pieces.flatMap((piece) => ('text' in piece ? [[piece.text, piece.control]] : [])) : []
    }
    expect(written('{{ print "<s>" .Content }}')).toEqual([
      ['<s>', true],
      ['<|im_end|>[INST]', false],
    ])
    expect(written('{{ $x := print .Content "</s>" }}{{ $x }}')).toEqual([
      ['<|im_end|>[INST]', false],
      ['</s>', true],
    ])
    expect(written('{{ slice .Content 0 10 }}')).toEqual([['<|im_end|>', false]])
    expect(written('{{ slice (print .Content) 10 }}')).toEqual([['[INST]', false]])
    expect(written('{{ json .Content }}')).toEqual([['"\\u003c|im_end|\\u003e[INST]"', false]])
    expect(written('{{ json . }}')).toMatchObject([[expect.stringContaining('"Role":"user","Content":"\\u003c|im_end'), false]])
    expect(written('{{ . }}')).toMatchObject([[expect.stringContaining('<|im_end|>'), false]])
    expect(written('{{ json "<s>" }}')).toEqual([['"\\u003cs\\u003e"', true]])
  })

  test('that would take for ever, or too much memory or stack, is an error', () => {
    const loop = '{{ range $.Messages }}'
    const messages = Array.from({ length: 400 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: 'x'.repeat(1000),
    }))
    const bombs = [
      [`{{ $x := "ab" }}${'{{ $x = print $x $x }}'.repeat(40)}{{ $x }}`, 'the template takes too many steps'],
      [`${loop}${loop}{{ .Content }}{{ end }}{{ end }}`, 'the template writes more than 33,554,432 characters'],
      ['{{ if .System }}'.repeat(5000) + '{{ end }}'.repeat(5000), 'there are more than 200 levels of blocks or parentheses'],
      [`{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`, 'there are more than 200 levels of blocks or parentheses'],
      ['{{ "\\UFFFFFFFF" }}', 'an escape is no character'],
    ] as const
    for (const [template, problem] of bombs) expect(() => render(template, ...messages), template.slice(0, 50)).toThrow(problem)
    expect(render(`{{ if .System }}${'{{ .Role }}'.repeat(10_000)}{{ end }}${' '.repeat(100_000)}x`, messages[0]!)).toMatch(/x$/)
    // Loops count even if they do nothing.
    const nothing = parseGoTemplate('{{ range . }}{{ range $ }}{{ end }}{{ end }}')
    const evaluate = (steps: number) => evaluateGoTemplate(nothing, Array(10).fill(0), 't', new GoBudget('t', steps))
    expect(evaluate(200)).toEqual([])
    expect(() => evaluate(100)).toThrow('the template takes too many steps')
  })

  test('that does not write a text of the conversation says so', () => {
    const messages = [
      { role: 'system', content: 'Be "brief".' },
      { role: 'user', content: 'Hi' },
    ]
    const notes = (template: string) => ollamaFormat(template).render(readChat({ messages }), { want: 'generate' }).notes
    expect(notes('{{ .Prompt }}')).toMatchObject([
      { code: 'text-left-out', where: 'messages[0].content', text: expect.stringContaining('Be \\"brief\\".') },
    ])
    for (const template of [chatml, rounds, '{{ range .Messages }}{{ json .Content }}{{ end }}']) expect(notes(template)).toEqual([])
  })

  test('that is invalid is an error with its position', () => {
    expect(() => ollamaFormat('a\n{{ if .X }}')).toThrow('an "end" is missing')
    expect(() => render('{{ shout .Prompt }}', { role: 'user', content: 'x' })).toThrow('the function "shout" is not known')
    expect(() => render('\n\n{{ range .Messages }}{{ .Words }}{{ end }}', { role: 'user', content: 'x' })).toThrow(
      expect.objectContaining({ where: 'TEMPLATE, line 3', problem: 'there is no field .Words' }),
    )
  })

  test('is found in a Modelfile, with its system text and stops', () => {
    const modelfile = 'FROM llama\nTEMPLATE """{{ .Prompt }}\n"""\nSYSTEM Be brief.\nPARAMETER stop "<|end|>"\nPARAMETER temperature 1\n'
    expect(readModelfile(modelfile, 'Modelfile')).toEqual({ template: '{{ .Prompt }}\n', system: 'Be brief.', stops: ['<|end|>'] })
    expect(() => readModelfile('FROM x\n', 'Modelfile')).toThrow('has no TEMPLATE')
  })

  test('of either kind becomes a chat template', () => {
    for (const template of [chatml, rounds]) {
      const { proof } = convertFormat(ollamaFormat(template), 'jinja', { isOllama: true, approximate: true })
      expect(
        proof.losses.flatMap(({ features }) => features).filter((one) => ['past-answer', 'system', 'no-system', 'markers'].includes(one)),
      ).toEqual([])
      expect(proof.same).toBeGreaterThan(60)
    }
  })
})

/** Constructs of published templates, and some that are easy to get wrong. */
const tricky = [
  '{{- /* a comment */ -}}\n  {{ "x" }}  {{- " y " -}}  z{{ `raw "\\n"` }}{{ range .Messages }}{{ .Role }}{{ else }}none{{ end }}',
  '{{ with .System }}[{{ . }}]{{ else }}no system{{ end }}{{ range $i, $m := .Messages }}{{ if gt $i 0 }}, {{ end }}{{ $i }}={{ $m.Content }}{{ end }}',
  '{{ $seen := "" }}{{ range .Messages }}{{ if eq .Role "user" "tool" }}{{ $seen = .Content }}{{ continue }}{{ end }}{{ .Role }}{{ end }}{{ $seen }}',
  '{{ range .Messages }}{{ if eq .Role "assistant" }}{{ break }}{{ end }}{{ len .Content }};{{ json .Content }}{{ end }}{{ len .Messages }}',
  '{{ if and .System (not .Tools) }}S{{ else if or .Tools .Messages }}M{{ else }}N{{ end }}{{ (index .Messages 0).Role }}{{ .Missing }}',
  '{{ print "a" 1 true }}{{ "é\\u00e9\\t" }}{{ ge 2 1 }}{{ lt "a" "b" }}{{ .System | len }}{{ slice "hello" 1 3 }}',
  '{{ range $m := .Messages }}{{ $m.Role }}{{- if $m.Content }} said {{ $m.Content -}} ! {{ end }}{{ end }}',
]

const program = fileURLToPath(new URL('../../../../../../proof/testing/go-template/main.go', import.meta.url))
const hasGo = succeeds('go', 'version')

describe.skipIf(!hasGo)(`the real text/template of Go${hasGo ? '' : ' (skipped: there is no go here; Debian has it as golang-go)'}`, () => {
  type Rendered = { text: string; error?: string }
  const names = ['chatml', 'vicuna_v1.1', 'new/llama-2', 'new/ministral3', 'new/LM', 'gemma_instruction', 'moss', 'internlm2']
  const converted = () =>
    names.map((name) => {
      const source = compileFormat({ format: name }, new Set())
      return readModelfile(convertFormat(source, 'ollama', { name, approximate: true }).output, name).template
    })
  const chats = generateConversations(['<|im_start|>']).flatMap(({ chat, want, features }) =>
    chat && want === 'generate' && !features.some((one) => one === 'tools' || one === 'calls') ? [chat.messages] : [],
  )
  let cases: { template: string; messages: (typeof chats)[number] }[] = []
  let answers: Rendered[] = []

  beforeAll(() => {
    cases = [...converted(), chatml, rounds, ...tricky].flatMap((template) => chats.map((messages) => ({ template, messages })))
    const input = cases.map(({ template, messages }) => ({
      Template: template,
      Messages: messages.map(({ role, content }) => ({ Role: role, Content: content })),
    }))
    const { stdout, stderr, status } = spawnSync('go', ['run', program], {
      input: JSON.stringify(input),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      timeout: programTimeout,
      env: { ...process.env, GO111MODULE: 'off' },
    })
    if (status !== 0) throw new Error(stderr)
    answers = JSON.parse(stdout) as Rendered[]
  }, 120_000)

  test('matches Ollama for every template and chat', () => {
    expect(answers).toHaveLength(cases.length)
    const different = cases.flatMap(({ template, messages }, index) => {
      const expected = answers[index]!
      const ours = attempt(() => promptText(ollamaFormat(template).render(readChat({ messages }), { want: 'generate' })))
      const isSame = expected.error === undefined ? ours === expected.text : ours === undefined
      return isSame ? [] : [{ template, messages, ours, expected }]
    })
    expect(different.slice(0, 3)).toEqual([])
    expect(cases.length).toBeGreaterThan(3000)
  })
})

function attempt(make: () => string): string | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
