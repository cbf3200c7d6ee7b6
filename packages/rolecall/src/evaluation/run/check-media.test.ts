import { expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { planRun } from './plan-run.ts'
import { preparePair } from './prepare-pair.ts'

const messages: ModelConfig = { abbr: 'm', type: 'openai', format: 'messages' }
const withParts = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '{q}' },
        { type: 'image_url', image_url: { url: '{image}' } },
      ],
    },
  ],
}
const chats = { type: 'ChatInferencer' }

function prepare(model: ModelConfig, infer_cfg: object, rows: readonly object[], more: object = {}) {
  const dataset = { abbr: 'd', reader_cfg: { input_columns: ['q'], output_column: 'a' }, infer_cfg, ...more } as DatasetConfig
  let read = 0
  const testRows = async function* () {
    for (const row of rows) {
      read++
      yield [row as never]
    }
  }
  const environment = {
    firstRows: async () => ({ asked: rows.slice(0, 1) as never }),
    testRows,
    hash: (text: string) => text,
    now: () => 0,
  }
  return preparePair(() => planRun([model], [dataset])[0]!, environment).then((found) => ({ ...found, read }))
}

const text = { q: 'a', image: [], a: 'x' }
const picture = { q: 'b', image: ['data:image/png;base64,AAAA'], a: 'x' }

test('a part that a later row has, and the format cannot write, is found before the first request', async () => {
  const found = await prepare({ abbr: 'm', type: 'openai', format: 'internlm2' }, { prompt_template: withParts }, [text, text, picture])
  expect(found).toMatchObject({ word: 'cannot run', cause: { where: 'd › row 2 › image[0]', problem: 'this format takes no images' } })
})

test('the first row is named too', async () => {
  const found = await prepare({ abbr: 'm', type: 'openai', format: 'internlm2' }, { prompt_template: withParts }, [picture])
  expect(found).toMatchObject({ word: 'cannot run', cause: { where: 'd › row 0 › image[0]', problem: 'this format takes no images' } })
})

test('a model that reads text refuses the media of a later row', async () => {
  const template = '{% for m in messages %}{% for p in m.content %}{{ p.text if p.type == "text" else "<img>" }}{% endfor %}{% endfor %}'
  const found = await prepare({ abbr: 'm', type: 'openai', chat_template: template }, { prompt_template: withParts }, [text, picture])
  expect(found).toMatchObject({
    word: 'cannot run',
    cause: { where: 'd › row 1 › image[0]', problem: 'm reads text, but this is an image' },
  })
})

test('chats in rows are looked through for parts', async () => {
  const dialogue = (content: unknown) => ({
    dialogue: [
      { role: 'user', content },
      { role: 'assistant', content: 'x' },
    ],
  })
  const rows = [dialogue('hi'), dialogue([{ type: 'image_uri', image_uri: 'x' }])]
  const reader = { reader_cfg: { input_columns: ['dialogue'], output_column: 'dialogue' } }
  const given = { prompt_template: { template: '{dialogue}' }, inferencer: chats }
  const found = await prepare(messages, given, rows, reader)
  expect(found).toMatchObject({ word: 'cannot run', cause: { problem: expect.stringContaining('image_uri') } })
  expect(found.cause!.where).toContain('row 1')
})

test('parts that the model takes are fine, and a dataset without media is not rendered twice', async () => {
  expect(await prepare(messages, { prompt_template: withParts }, [text, picture])).toMatchObject({ word: 'ready' })
  expect(await prepare(messages, { prompt_template: { template: '{q}' } }, [text, text])).toMatchObject({ word: 'ready' })
})
