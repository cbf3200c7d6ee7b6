import { describe, expect, test } from 'vitest'
import { quirksOf } from '../../../base/fidelity/quirks.ts'
import { checkOutline, readMetaTemplate } from './read-meta-template.ts'

const where = 'internlm › meta_template'
const options = { where, quirks: quirksOf(undefined), api: false }
const read = (config: unknown) => readMetaTemplate(config, options)
const readApi = (config: unknown) => readMetaTemplate(config, { ...options, api: true })
const mistake = (details: object) => expect.objectContaining(details)

describe('a meta template', () => {
  test('has its texts and roles with their paths', () => {
    const meta = read({
      begin: '<s>',
      round: [{ role: 'HUMAN', begin: 'H: ', end: '\n', prompt: '{q}' }, '--', { role: 'BOT', generate: true }],
      reserved_roles: [{ role: 'SYSTEM', begin: ['S', 5] }],
      end: ['</s>', 2],
    })
    expect(meta).toMatchObject({
      begin: [{ text: '<s>', control: true, source: { by: 'format', path: `${where}.begin` } }],
      end: [{ text: '</s>' }, { ids: [2], source: { by: 'format', path: `${where}.end[1]` } }],
      round: [
        { name: 'HUMAN', generate: false, path: `${where}.round[0]`, prompt: { by: 'format', control: false } },
        { text: [{ text: '--', control: true, source: { by: 'format', path: `${where}.round[1]` } }] },
        { name: 'BOT', generate: true, begin: [], end: [] },
      ],
    })
    expect([...meta.roles.keys()]).toEqual(['HUMAN', 'BOT', 'SYSTEM'])
    expect(meta.roles.get('SYSTEM')).toMatchObject({ begin: [{ text: 'S' }, { ids: [5] }], path: `${where}.reserved_roles[0]` })
  })

  test('may have no round', () => {
    expect(read({ begin: 'x' })).not.toHaveProperty('round')
  })
})

describe('stops', () => {
  const stops = (bot: object, eos?: unknown) =>
    read({
      round: [
        { role: 'HUMAN', end: '<eoh>' },
        { role: 'BOT', generate: true, ...bot },
      ],
      eos_token_id: eos,
    }).stop

  test('are those of eos_token_id: ids, tokens, or a list of both', () => {
    const source = { by: 'format', path: `${where}.eos_token_id` }
    expect(stops({}, 2)).toEqual([{ id: 2, source }])
    expect(stops({}, '</s>')).toEqual([{ token: '</s>', source }])
    expect(stops({}, [2, '</s>'])).toEqual([
      { id: 2, source },
      { token: '</s>', source },
    ])
    expect(stops({}, null)).toEqual([])
    expect(stops({})).toEqual([])
  })

  test('and the end of the generating role, without trailing white space', () => {
    expect(stops({ end: '<eoa>\n' })).toEqual([{ text: '<eoa>', source: { by: 'format', path: `${where}.round[1].end` } }])
    expect(stops({ end: ' <eoa>' })).toMatchObject([{ text: ' <eoa>' }])
  })

  test('an end of only white space is not a stop, since models write newlines in their answers', () => {
    expect(stops({ end: '\n' })).toEqual([])
    expect(stops({ end: ' \n\n' })).toEqual([])
  })

  test('an end that is a list stops at its first id, or at the text before it', () => {
    expect(stops({ end: [92542, '\n'] })).toEqual([{ id: 92542, source: { by: 'format', path: `${where}.round[1].end[0]` } }])
    expect(stops({ end: ['<eoa', '>\n', 2, 'x'] })).toMatchObject([{ text: '<eoa>' }])
  })

  test('name both when both are given', () => {
    expect(stops({ end: '<eoa>\n' }, 2)).toMatchObject([{ id: 2 }, { text: '<eoa>' }])
  })
})

describe('mistakes', () => {
  const outline = (config: unknown, api = false) => checkOutline(config, { ...options, api })

  test('a role is defined once', () => {
    expect(() => outline({ round: [{ role: 'HUMAN' }], reserved_roles: [{ role: 'HUMAN' }] })).toThrow(
      mistake({
        code: 'duplicate-role',
        where: `${where}.reserved_roles[0].role`,
        problem: `role "HUMAN" is already defined at ${where}.round[0]`,
      }),
    )
    expect(outline({ round: ['a', 'a', { role: 'HUMAN' }] })).toBeUndefined()
  })

  test('every entry of the round needs a role', () => {
    expect(() => outline({ round: [{ begin: 'x' }] })).toThrow(mistake({ code: 'missing', where: `${where}.round[0].role` }))
    expect(() => outline({ round: {} })).toThrow(mistake({ code: 'wrong-type', where: `${where}.round` }))
    expect(() => outline('chatml')).toThrow(mistake({ code: 'wrong-type', where }))
  })

  test('an API model needs a round', () => {
    expect(() => outline({}, true)).toThrow(mistake({ code: 'missing', where: `${where}.round` }))
    expect(outline({})).toBeUndefined()
  })

  test('misspelt keys are refused with a suggestion', () => {
    expect(() => read({ beginn: 'x' })).toThrow(mistake({ code: 'unknown-key', where: `${where}.beginn`, fix: 'did you mean "begin"?' }))
    expect(() => read({ round: [{ role: 'HUMAN', bgin: 'x' }] })).toThrow(
      mistake({ code: 'unknown-key', where: `${where}.round[0].bgin`, fix: 'did you mean "begin"?' }),
    )
    expect(() => read({ round: [] })).toThrow(mistake({ code: 'empty', where: `${where}.round` }))
  })

  test('the roles of an API model need an api_role that chat servers know', () => {
    expect(() => readApi({ round: [{ role: 'HUMAN', api_role: 'HUMAN' }, { role: 'BOT' }] })).toThrow(
      mistake({ code: 'missing', where: `${where}.round[1].api_role`, fix: 'write HUMAN, BOT or SYSTEM' }),
    )
    expect(() => readApi({ round: [{ role: 'HUMAN', api_role: 'HUMANS' }] })).toThrow(
      mistake({ code: 'wrong-value', where: `${where}.round[0].api_role`, fix: expect.stringContaining('did you mean "HUMAN"?') }),
    )
    expect(
      readMetaTemplate({ round: [{ role: 'HUMAN', api_role: 'X' }] }, { ...options, api: true, quirks: quirksOf('opencompass') }),
    ).toMatchObject({
      round: [{ apiRole: 'X' }],
    })
  })

  test('messages cannot contain token ids', () => {
    expect(() => readApi({ round: [{ role: 'HUMAN', api_role: 'HUMAN', end: ['x', 5] }] })).toThrow(
      mistake({ code: 'token-ids-in-message', where: `${where}.round[0].end[1]` }),
    )
  })
})
