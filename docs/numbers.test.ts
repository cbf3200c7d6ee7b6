import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

// Numbers in sentences. Those in tables are generated (docs/generate.ts), and those in outputs are printed by their commands (docs/code-blocks.ts).

const { files } = JSON.parse(readFileSync(new URL('../proof/conformance/counts.json', import.meta.url), 'utf8')) as {
  files: Record<string, { total: number; identical: number }>
}
const text = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const shown = (value: number) => value.toLocaleString('en')
const total = (name: string) => files[name]!.total
const templates = total('chat/jinja_templates.jsonl')

const sentences: readonly [file: string, sentence: string][] = [
  ['docs/chat-templates.md', `All ${shown(files['chat/jinja_render.jsonl']!.identical)} renders of ${templates} real templates`],
  [
    'docs/tool-evaluation.md',
    `checks ${shown(total('toolcalls/verdicts.jsonl'))} of its verdicts, ${total('toolcalls/schemas.jsonl')} function conversions and ${total('toolcalls/layout.jsonl')} files`,
  ],
  ['docs/training.md', `the spans of ${templates} templates`],
  ['docs/training.md', `whether prompts only grow in ${shown(total('masks/prefix.jsonl'))} chats`],
]

describe('numbers in the docs hold', () => {
  test.for(sentences)('%s: %s', ([file, sentence]) => {
    expect(text(file).replace(/\s+/g, ' ').includes(sentence)).toBe(true)
  })

  test('all renders that the page counts are identical', () => {
    const { total: all, identical } = files['chat/jinja_render.jsonl']!
    expect(identical).toBe(all)
  })
})
