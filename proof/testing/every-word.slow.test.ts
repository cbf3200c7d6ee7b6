import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileChat } from '../../packages/core/src/internal/compile.ts'
import { readChat } from '../../packages/core/src/prompt/conversation/read-chat.ts'
import { compileFormat } from '../../packages/core/src/prompt/format/compile-format.ts'
import { bodyOf } from '../../packages/core/src/prompt/format/flatten.ts'
import { mlcTemplates } from '../../packages/core/src/prompt/format/mlc/summary.ts'
import { ollamaFormat } from '../../packages/core/src/prompt/format/ollama/ollama-format.ts'
import { readModelfile } from '../../packages/core/src/prompt/format/ollama/read-modelfile.ts'
import { presets } from '../../packages/core/src/prompt/format/presets/index.ts'
import { type ModelConfig, type Prompt, PromptError } from '../../packages/rolecall/src/index.ts'
import { convertFormat } from '../../packages/rolecall/src/workbench/convert/convert-format.ts'

const shared = new URL('../../../shared/conformance/', import.meta.url)
const files = ['chat/jinja_templates.jsonl', 'masks/mask_templates.jsonl', 'parts/parts_templates.jsonl', 'replies/templates.jsonl']

/** A unique word in every slot of a conversation. */
const conversations = {
  'a dialogue': {
    messages: [
      { role: 'system', content: 'Say qsystema.' },
      { role: 'user', content: 'Ask quserb.' },
      { role: 'assistant', content: 'Say qsaidc.', reasoning_content: 'Think qthinkd.' },
      { role: 'user', content: 'Ask quserf.' },
    ],
  },
  'calls without tools': {
    messages: [
      { role: 'user', content: 'Ask quserb.' },
      {
        role: 'assistant',
        content: 'Say qsaidc.',
        reasoning_content: 'Think qthinkd.',
        tool_calls: [{ id: 'callaaaaa', type: 'function', function: { name: 'qtoolg', arguments: { city: 'qcityh', day: 'qdayi' } } }],
      },
      { role: 'tool', tool_call_id: 'callaaaaa', content: 'Found qresulte.' },
      { role: 'user', content: 'Ask quserf.' },
    ],
  },
  'parts and inline thoughts': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Ask quserb.' },
          { type: 'text', text: 'Ask qpartj.' },
        ],
      },
      { role: 'assistant', content: '<think>Think qthinkd.</think>Say qsaidc.' },
      { role: 'user', content: 'Ask quserf.' },
    ],
  },
}

type Loss = { name: string; word: string }

/** Notes that say which texts of a message, or of all earlier ones, were left out. */
const namesPlace = ['message-fields-unused', 'fields-dropped', 'thoughts-left-out']

type Chat = { messages: readonly object[] }

/** The words that are neither in the prompt nor in a note. Where nothing is rendered, an error says why. */
function silentLosses(name: string, model: ModelConfig | string, chat: Chat): Loss[] {
  return lossesOf(name, chat, () => compileChat(model).render(chat as never, { want: 'generate' }))
}

function lossesOf(name: string, chat: Chat, render: () => Prompt): Loss[] {
  try {
    const prompt = render()
    const body = bodyOf(prompt)
    const isNoted = (word: string, path: string, isLast: boolean) =>
      prompt.notes.some(
        ({ code, text, where = '' }) =>
          text.includes(word) || (namesPlace.includes(code) && where.startsWith(path)) || (code === 'history-left-out' && !isLast),
      )
    return chat.messages.flatMap((message, index) => {
      const words = JSON.stringify(message).match(/\bq[a-z]+/g) ?? []
      const isLast = index === chat.messages.length - 1
      return words.filter((word) => !body.includes(word) && !isNoted(word, `messages[${index}]`, isLast)).map((word) => ({ name, word }))
    })
  } catch (error) {
    if (error instanceof PromptError) return []
    throw error
  }
}

describe('every word of a conversation is in the prompt, in a note, or nothing is rendered', () => {
  for (const [title, chat] of Object.entries(conversations)) {
    test(`${title}: presets and MLC templates`, () => {
      const names = [
        ...Object.keys(presets).map((name) => [name, name] as const),
        ...mlcTemplates().map(({ name }) => [name, { conv_template: name }] as const),
      ]
      expect(names.length).toBeGreaterThan(60)
      expect(names.flatMap(([name, model]) => silentLosses(name, model, chat))).toEqual([])
    })

    test(`${title}: Ollama templates, written by hand and converted from presets and MLC templates`, () => {
      converted ??= convertedTemplates()
      const templates = new Map([...Object.entries(ollamaTemplates), ...converted])
      expect(templates.size).toBeGreaterThan(20)
      const losses = [...templates].flatMap(([name, template]) =>
        lossesOf(name, chat, () => ollamaFormat(template).render(readChat(chat as never), { want: 'generate' })),
      )
      expect(losses).toEqual([])
    })

    test(`${title}: meta templates`, () => {
      for (const is_api of [false, true])
        expect(
          Object.entries(metaTemplates(is_api)).flatMap(([name, meta_template]) =>
            silentLosses(name, { meta_template, is_api } as never, chat),
          ),
        ).toEqual([])
    })

    test.skipIf(!existsSync(shared))(`${title}: all shared meta templates (skipped without ../shared)`, () => {
      const metas = new Map(['real', 'seed', 'synth', 'unit', 'ice', 'values'].flatMap(metaTemplatesIn))
      expect(metas.size).toBeGreaterThan(50)
      expect([...metas].flatMap(([name, model]) => silentLosses(name, model, chat))).toEqual([])
    })

    test.skipIf(!existsSync(shared))(
      `${title}: all shared chat templates`,
      () => {
        const templates = new Map(files.flatMap(templatesIn))
        expect(templates.size).toBeGreaterThan(250)
        expect(
          [...templates].flatMap(([source, { name, tokens }]) =>
            silentLosses(name, { chat_template: source, special_tokens: tokens }, chat),
          ),
        ).toEqual([])
      },
      300_000,
    )
  }
})

/** With all messages; one round after another; only the last question. */
const ollamaTemplates = {
  messages: '{{ range .Messages }}<{{ .Role }}>{{ .Content }}</{{ .Role }}>\n{{ end }}<assistant>',
  rounds: '{{ if .System }}[{{ .System }}]{{ end }}{{ if .Prompt }}U: {{ .Prompt }}\n{{ end }}A: {{ .Response }}\n',
  'no system': '{{ range .Messages }}{{ if ne .Role "system" }}<{{ .Role }}>{{ .Content }}{{ end }}{{ end }}<assistant>',
  'users only': '{{ range .Messages }}{{ if eq .Role "user" }}U: {{ .Content }}\n{{ end }}{{ end }}A:',
  'calls and thoughts':
    '{{ range .Messages }}<{{ .Role }}>{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}{{ end }}\n{{ end }}<assistant>',
  prompt: '{{ .Prompt }}',
} as const

/** Converting takes seconds. */
let converted: [string, string][] | undefined

/** Templates that every fourth of the other formats is converted to. */
function convertedTemplates(): [string, string][] {
  const names = [...Object.keys(presets), ...mlcTemplates().map(({ name }) => name)].filter((_, index) => index % 4 === 0)
  return names.flatMap((name): [string, string][] => {
    try {
      const { output } = convertFormat(compileFormat({ format: name }, new Set()), 'ollama', { name, approximate: true })
      return [[`converted ${name}`, readModelfile(output, name).template]]
    } catch (error) {
      if (error instanceof PromptError) return []
      throw error
    }
  })
}

/** Meta templates for language models and for API models, with and without a role for the system. */
function metaTemplates(isApi: boolean): Record<string, object> {
  const role = (name: string, more: object = {}) =>
    isApi ? { role: name, api_role: name, ...more } : { role: name, begin: `<${name}>: `, end: '\n', ...more }
  const [human, bot, system] = [role('HUMAN'), role('BOT', { generate: true }), role('SYSTEM')]
  const affixes = isApi ? {} : { begin: 'Begin.\n', end: 'End.\n' }
  return {
    'two roles': { round: [human, bot] },
    'a reserved system': { round: [human, bot], reserved_roles: [system], ...affixes },
    'the system in each round': { round: [system, human, bot], ...affixes },
    'no generating role': { round: [human, role('BOT')] },
    'default prompts': { round: [{ ...human, prompt: 'Hello.' }, bot] },
    'other names': {
      round: [
        { ...human, role: 'USER' },
        { ...bot, role: 'ASSISTANT' },
      ],
    },
  }
}

/** The distinct meta templates of shared vectors, with the kind of model. */
function metaTemplatesIn(file: string): [string, ModelConfig][] {
  const lines = readFileSync(new URL(`opencompass/${file}.jsonl`, shared), 'utf8').split('\n')
  return lines
    .filter((line) => line.includes('"metaTemplate": {'))
    .flatMap((line): [string, ModelConfig][] => {
      const { metaTemplate: meta_template, model } = JSON.parse(line)
      if (!meta_template) return []
      return [[`${model} ${JSON.stringify(meta_template)}`, { meta_template, is_api: model === 'api' } as ModelConfig]]
    })
}

/** Template → its name and special tokens. */
function templatesIn(file: string): [string, { name: string; tokens: Record<string, string> }][] {
  const lines = readFileSync(new URL(file, shared), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const { id, name = id, template, chat_template: source = template, tokens, special_tokens: others } = JSON.parse(line)
      const named = Object.entries({ bos_token: '<s>', eos_token: '</s>', ...others, ...tokens }).filter(
        ([, token]) => typeof token === 'string',
      )
      return [source, { name, tokens: Object.fromEntries(named) as Record<string, string> }]
    })
}
