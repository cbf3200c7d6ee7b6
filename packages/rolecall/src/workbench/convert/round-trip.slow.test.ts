import { describe, expect, test } from 'vitest'
import { sampleOf, triesAll } from '../../../../../proof/testing/sampling.ts'
import { compileFormat } from '../../../../core/src/prompt/format/compile-format.ts'
import { mlcFormat } from '../../../../core/src/prompt/format/mlc/mlc-format.ts'
import { namedTemplates } from '../../../../core/src/prompt/format/mlc/mlc-templates.ts'
import { namedConversation } from '../../../../core/src/prompt/format/mlc/read-mlc-conversation.ts'
import { convertFormat, stopsAndPrefixOf } from './convert-format.ts'
import { proveSame } from './prove-same.ts'

const names = namedTemplates.map(({ generation, key }) => `${generation}/${key}`)

describe('every conversation template of MLC as a chat template', () => {
  test('there are 89', () => expect(names).toHaveLength(89))

  // Each takes about half a second: always the special ones, and a sample of the others.
  const special = ['old/conv_one_shot', 'old/rwkv_world', 'new/gorilla', 'new/ministral3', 'new/llama-2', 'new/llama-4']
  const rest = names.filter((name) => !special.includes(name))
  test.for([...special, ...sampleOf(rest, triesAll ? 12 : 3)])('%s and back is the same', { timeout: 60_000 }, (name) => {
    const conversation = namedConversation(name)
    const source = mlcFormat(conversation)
    const isText = conversation.generation === 'old' && conversation.style !== 'chat'
    const jinja = convertFormat(source, 'jinja', { name: conversation.name, approximate: isText })
    const back = convertFormat(jinja.format, 'mlc', { name: conversation.name, stopsAndPrefix: jinja.stopsAndPrefix, approximate: isText })
    const { losses, extras, total } = proveSame(source, back.format)
    expect({ losses, extras }).toEqual({ losses: [], extras: [] })
    expect(total).toBeGreaterThan(700)
    // Outside chats the source drops a system message with a note; a chat template cannot add a note, so it raises an error.
    expect(jinja.proof.losses.map(({ features }) => features)).toEqual(isText ? [['system']] : [])
    const { prefixIds, stopIds } = jinja.stopsAndPrefix
    expect(stopsAndPrefixOf(back.format)).toMatchObject({ prefixIds, stopIds })
  })
})

describe('shipped formats as chat templates and back', () => {
  const lost: Readonly<Record<string, readonly string[]>> = {
    chatml: [],
    'internlm-xcomposer2': [],
    internlm2: ['calls', 'tools'],
    'internlm2.5': ['calls', 'tools'],
    moss: ['rounds'],
  }
  test.for(Object.entries(lost))('%s loses only %j', { timeout: 60_000 }, ([name, features]) => {
    const source = compileFormat({ format: name }, new Set())
    const jinja = convertFormat(source, 'jinja', { name, approximate: true })
    const back = convertFormat(jinja.format, 'meta', { name, stopsAndPrefix: jinja.stopsAndPrefix })
    const found = proveSame(source, back.format).losses
    expect(found.map((loss) => loss.features[0]).toSorted()).toEqual(features)
    expect(jinja.proof.losses.flatMap((loss) => loss.features).toSorted()).toEqual(features)
  })

  test('a format of messages cannot be converted', () => {
    const source = compileFormat({ format: 'messages' }, new Set())
    expect(() => convertFormat(source, 'jinja')).toThrow(expect.objectContaining({ code: 'no-text' }))
  })
})
