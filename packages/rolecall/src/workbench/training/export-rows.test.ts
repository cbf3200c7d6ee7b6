import { expect, test } from 'vitest'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import { shippedTokenizer } from '../../node/models/load-tokenizer.ts'
import { noCounts } from './export-counts.ts'
import { type ExportedRow, type ExportOptions, RowExporter } from './export-rows.ts'
import { type NumberedConversation, readTrainingChat } from './read-training-chat.ts'

const { format } = compileChat('internlm2')
const long = Array.from({ length: 6 }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `${index} and so on` }))

function exporter(options: Partial<ExportOptions> = {}): RowExporter {
  return new RowExporter({ format, tokenizer: shippedTokenizer(), undecided: 'drop', overlong: 'drop', ...options }, noCounts())
}

/** The rows of a conversation in our own columns. */
const rowsOf = (one: RowExporter, conversation: NumberedConversation) => one.add(conversation) as readonly ExportedRow[]
const rowOf = (one: RowExporter, conversation: NumberedConversation) => rowsOf(one, conversation)[0]

test('ids, mask and spans of a row agree', () => {
  const one = exporter({ origins: true })
  const messages = [
    { role: 'user', content: '😀?' },
    { role: 'assistant', content: 'Yes' },
  ]
  const row = rowOf(one, { chat: { messages }, number: 7 })!
  const characters = [...row.text!]
  expect(row.spans!.map(([start, end]) => characters.slice(start, end).join(''))).toEqual(['Yes<|im_end|>'])
  const trained = row.ids.filter((_, index) => row.mask[index] === 1)
  expect(trained.map((id) => shippedTokenizer().tokenOf(id)).join('')).toBe('Yes<|im_end|>')
  expect(row.origins!.map(({ start, end, by }) => [by, characters.slice(start, end).join('')])).toContainEqual(['message', '😀?'])
  expect(row.row).toBe(7)
  expect(one.counts).toMatchObject({ written: 1, trainedTokens: trained.length })
})

test('overlong conversations are dropped, or truncated after a model turn', () => {
  const whole = rowOf(exporter(), { chat: { messages: long }, number: 0 })!
  const dropping = exporter({ maxLength: whole.ids.length - 1 })
  expect(rowOf(dropping, { chat: { messages: long }, number: 0 })).toBeUndefined()
  expect(dropping.counts.leftOut.tooLong).toBe(1)
  const cutting = exporter({ maxLength: whole.ids.length - 1, overlong: 'cut' })
  const cut = rowOf(cutting, { chat: { messages: long }, number: 0 })!
  expect(whole.text!.startsWith(cut.text!)).toBe(true)
  expect(cut.text).toMatch(/3 and so on<\|im_end\|>\n$/)
  expect(cutting.counts.cut).toEqual({ conversations: 1, messages: 2 })
})

test('packed rows hold as many whole conversations as fit, with the range of each', () => {
  const alone = rowOf(exporter(), { chat: { messages: long }, number: 0 })!
  const packing = exporter({ pack: alone.ids.length * 2 + 1 })
  const rows = [0, 1, 2].flatMap((number) => rowsOf(packing, { chat: { messages: long }, number }))
  const all = [...rows, packing.end()!]
  expect(all.map(({ row }) => row)).toEqual([[0, 1], [2]])
  for (const { ids, mask, documents } of all)
    for (const [start, end] of documents!) {
      expect(ids.slice(start, end)).toEqual(alone.ids)
      expect(mask.slice(start, end)).toEqual(alone.mask)
    }
})

test.each([
  [
    'messages',
    {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    },
  ],
  [
    'ShareGPT',
    {
      conversations: [
        { from: 'human', value: 'a' },
        { from: 'gpt', value: 'b' },
      ],
    },
  ],
  ['prompt and completion', { prompt: 'a', completion: 'b' }],
  ['both as messages', { prompt: [{ role: 'user', content: 'a' }], completion: [{ role: 'assistant', content: 'b' }] }],
  ['Alpaca', { instruction: 'a', input: '', output: 'b' }],
])('conversations as %s', (_, row) => {
  expect(readTrainingChat(row, 'row 0').messages).toEqual([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ])
})

test('the error for a row without a conversation lists the supported layouts', () => {
  expect(() => readTrainingChat({ question: 'a' }, 'x.jsonl › row 3')).toThrow(
    /x.jsonl › row 3: this row has no conversation. Use one of: messages/i,
  )
  expect(() => readTrainingChat({ prompt: 'a', completion: 'b', tools: '{' }, 'row 3')).toThrow(/not a list of tools/)
})

test('media that a row does not contain are listed', () => {
  const chat_template =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text if p.type == 'text' else '<img>' }}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
  const one = exporter({ format: compileChat({ chat_template }).format })
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } },
  ]
  const row = rowOf(one, {
    chat: {
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: 'A cat.' },
      ] as never,
    },
    number: 0,
  })!
  expect(row.text).toContain('What is this?<img>')
  expect(one.counts.notes).toMatchObject({ 'image left out: the row has what the format writes for it, not its content': 1 })
})
