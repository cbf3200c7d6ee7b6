import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'

const question = { question: 'Who?', answer: 1, choices: ['Ann', 'Bob'], intermediate_data: [{ story_hash_id: 'h' }] }
const files = filesOf({
  'm/murder_mysteries.json': JSON.stringify([
    { context: 'A story.', questions: [question] },
    { context: 'Its twin.', questions: [question] },
  ]),
})

test('MuSR asks with the hint of its task; the gold answer counts from one', async () => {
  const { rows } = await load('MusrDataset', { path: 'm', name: 'murder_mysteries' }, files)
  expect(rows).toHaveLength(2)
  expect(rows).toMatchObject([{ gold_answer: 2, choices_str: '1 - Ann\n2 - Bob', scidx: 0, ablation_name: 'cot+' }, {}])
  expect(JSON.stringify(rows)).toContain(
    'A story.\\n\\nWho?\\n\\nPick one of the following choices:\\n1 - Ann\\n2 - Bob\\n\\nYou must pick one option. Before selecting',
  )
})

test('stories that only differ in the answer can be left out, or be all there is', async () => {
  const settings = { path: 'm', name: 'murder_mysteries', exclude_contrastive_examples: true }
  expect((await load('MusrDataset', settings, files)).rows).toMatchObject([{ context: 'A story.' }])
  const reversed = { ...settings, reverse_contrastive_sample: true }
  expect((await load('MusrDataset', reversed, files)).rows).toMatchObject([{ context: 'Its twin.' }])
})

test('an unknown task is an error that names the known ones', async () => {
  await expect(load('MusrDataset', { path: 'm', name: 'x' }, files)).rejects.toThrow(
    '"x" is not known: it is murder_mysteries, object_placements',
  )
})
