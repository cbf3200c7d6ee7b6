import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'
import type { Table } from '../table.ts'

const parts = (url: string) => ({
  text: { type: 'text', text: 'Q: {question}' },
  image: { type: 'image_url', image_url: { url } },
})
const rowsOf = async (type: string, settings: object, files: Record<string, string | Uint8Array>) =>
  ((await load(type, settings as never, filesOf(files))) as Table).rows as Record<string, unknown>[]
const image = `/9j/${'A'.repeat(80)}`
const shown = (url: string) => ({ type: 'image_url', image_url: { url } })

test('TextVQA: a question, its image, and the answers of a second file', async () => {
  const question = JSON.stringify({ question_id: 7, question: 'What?', image: 'a.jpg' })
  const annotations = JSON.stringify({ annotations: [{ question_id: 7, answers: [{ answer: 'red' }] }] })
  const files = { 'd/val.jsonl': `${question}\n`, 'd/val_annotations.json': annotations, 'a.jpg': new Uint8Array([255, 216, 255, 224]) }
  const settings = { path: 'd/val.jsonl', image_type: 'image_path', with_parts: parts('file://{image}') }
  expect(await rowsOf('TEXTVQADataset', settings, files)).toMatchObject([
    { content: [shown('file://a.jpg'), { type: 'text', text: 'Q: What?' }], answer: [{ answer: 'red' }] },
  ])
  const embedded = { ...settings, image_type: 'image_base64', with_parts: parts('data:image/jpeg;base64,{image}') }
  expect(await rowsOf('TEXTVQADataset', embedded, files)).toMatchObject([{ content: [shown('data:image/jpeg;base64,/9j/4A=='), {}] }])
  await expect(rowsOf('TEXTVQADataset', settings, { ...files, 'd/val_annotations.json': '{"annotations": []}' })).rejects.toThrow(
    'has no answers',
  )
})

test('MMStar: options in columns; an image may be that of another row, and is sent with the request', async () => {
  const table = `index\tquestion\thint\tA\tB\tanswer\tcategory\timage\n1\tWhich?\t\tcat\tdog\tB\tanimals\t${image}\n2\tAnd?\tlook\tx\t\tA\tletters\t1\n3\tnone\t\t\t\t\t\t\n`
  const settings = { path: 'd.tsv', with_parts: parts('file://{image}') }
  const rows = await rowsOf('MMStarDataset', settings, { 'd.tsv': table })
  const url = `data:image/jpeg;base64,${image}`
  expect(rows.map(({ content }) => content)).toEqual([
    [shown(url), { type: 'text', text: 'Q: Which?Options:\nA. cat\nB. dog\nPlease select the correct answer from the options above. \n' }],
    [shown(url), { type: 'text', text: 'Q: Hint: look\nAnd?Options:\nA. x\nPlease select the correct answer from the options above. \n' }],
  ])
  expect(rows[0]!.answer).toEqual({
    choices: '{"A": "cat", "B": "dog"}',
    answer: 'B',
    split: null,
    'l2-category': null,
    category: 'animals',
  })
  await expect(rowsOf('MMStarDataset', settings, { 'd.tsv': table.replace('\t1\n', '\t9\n') })).rejects.toThrow('no row has the index 9')
  await expect(rowsOf('MMStarDataset', { path: 'd.tsv', with_parts: {} }, { 'd.tsv': table })).rejects.toThrow('has no part "image"')
})

test('DocVQA: one or several pages, and the question with its instruction', async () => {
  const table = `index\tquestion\tanswer\timage\n1\tWho?\t['Ann']\t['${image}', 'iVBORw${image}']\n`
  const [row] = await rowsOf('DocVQADataset', { path: 'd.tsv', with_parts: parts('file://{image}') }, { 'd.tsv': table })
  expect(row).toEqual({
    content: [
      shown(`data:image/jpeg;base64,${image}`),
      shown(`data:image/png;base64,iVBORw${image}`),
      { type: 'text', text: 'Q: Who?\nAnswer the question using a single word or phrase.' },
    ],
    answer: "['Ann']",
  })
})
