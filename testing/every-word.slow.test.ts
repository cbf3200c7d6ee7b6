import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileChat, type ModelConfig, PromptError } from '../src/index.ts'
import { bodyOf } from '../src/prompt/format/flatten.ts'
import { mlcTemplates } from '../src/prompt/format/mlc/summary.ts'
import { presets } from '../src/prompt/format/presets/index.ts'

const shared = new URL('../../shared/conformance/', import.meta.url)
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

/** The words that are neither in the prompt nor in a note. Where nothing is rendered, an error says why. */
function silentLosses(name: string, model: ModelConfig | string, chat: { messages: readonly object[] }): Loss[] {
  try {
    const prompt = compileChat(model).render(chat as never, { want: 'generate' })
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
