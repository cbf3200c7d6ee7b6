import { describe, expect, test } from 'vitest'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import { compileTemplate, type TextBody } from './compile-template.ts'

const path = 'infer_cfg.prompt_template'
const compile = (config: unknown, compat?: 'opencompass') => compileTemplate(config, path, quirksOf(compat))
const mistake = (details: object) => expect.objectContaining(details)

describe('the kind of a template', () => {
  test('a string is the whole prompt', () => {
    expect(compile({ template: '{q}' })).toMatchObject({ path, body: { kind: 'text', text: { control: true, path: `${path}.template` } } })
  })

  test('an object with only begin, round and end is a dialogue', () => {
    const { body } = compile({ template: { begin: 'Solve.', round: [{ role: 'HUMAN', prompt: '{q}' }], end: [{ role: 'BOT' }, 'x'] } })
    expect(body).toMatchObject({
      kind: 'dialogue',
      begin: [{ loose: { path: `${path}.template.begin`, control: true } }],
      round: [{ role: 'HUMAN', path: `${path}.template.round[0]`, prompt: { control: false, path: `${path}.template.round[0].prompt` } }],
      end: [{ role: 'BOT', path: `${path}.template.end[0]` }, { loose: { path: `${path}.template.end[1]` } }],
    })
  })

  test('any other object has a template for each label', () => {
    const { body } = compile({ template: { A: 'yes', 'not A': { round: ['no'] } } })
    expect(body).toMatchObject({ kind: 'labels', labels: ['A', 'not A'] })
    if (body.kind !== 'labels') return
    expect(body.bodyOf('not A')).toMatchObject({ kind: 'dialogue', round: [{ loose: { path: `${path}.template["not A"].round[0]` } }] })
  })

  test('an object with messages is a template of messages, with </E> as its ice token unless another is named', () => {
    expect(compile({ messages: [] })).toMatchObject({ body: { kind: 'messages' }, iceToken: '</E>' })
    expect(compile({ messages: [], ice_token: '<ICE>' })).toMatchObject({ iceToken: '<ICE>' })
  })

  test('the tokens of a template are read, and null means none', () => {
    expect(compile({ type: 'PromptTemplate', template: '</E>', ice_token: '</E>', sep_token: null })).toMatchObject({ iceToken: '</E>' })
    expect(compile({ template: '', ice_token: null, sep_token: '|' })).toMatchObject({ iceToken: undefined, sepToken: '|' })
  })
})

test('a turn has only the given keys, so that the format decides the rest', () => {
  const { body } = compile({
    template: { round: [{ role: 'BOT' }, { role: 'SYSTEM', fallback_role: 'HUMAN', begin: '<', end: [5], generate: false, prompt: '' }] },
  })
  if (body.kind !== 'dialogue') throw new Error('not a dialogue')
  expect(body.round[0]).toEqual({ role: 'BOT', path: `${path}.template.round[0]` })
  expect(body.round[1]).toMatchObject({
    fallbackRole: 'HUMAN',
    prompt: { segments: [] },
    override: {
      begin: [{ text: '<', control: true, source: { by: 'template', path: `${path}.template.round[1].begin` } }],
      end: [{ ids: [5], source: { path: `${path}.template.round[1].end[0]` } }],
      generate: false,
    },
  })
})

describe('the answer of string labels begins at their first difference', () => {
  const answerFrom = (template: Record<string, string>) => {
    const { body } = compile({ template })
    return body.kind === 'labels' ? Object.keys(template).map((label) => (body.bodyOf(label) as TextBody).text.answerFrom) : []
  }

  test('at the first character that differs', () => {
    expect(answerFrom({ A: 'Q\nA: yes', B: 'Q\nA: no' })).toEqual([5, 5])
  })

  test('or before the word that contains this character', () => {
    expect(answerFrom({ A: 'It is possible', B: 'It is potent' })).toEqual([6, 6])
    expect(answerFrom({ A: 'It is good', B: 'It is goodly' })).toEqual([6, 6])
    expect(answerFrom({ A: '答案是对', B: '答案是错' })).toEqual([3, 3])
  })

  test('or before the field or the character that contains it', () => {
    expect(answerFrom({ A: 'Q {first}', B: 'Q {second}' })).toEqual([2, 2])
    expect(answerFrom({ A: '=😀', B: '=😁' })).toEqual([1, 1])
  })

  test('one label alone has nothing to differ from', () => {
    expect(answerFrom({ A: 'yes' })).toEqual([undefined])
  })
})

describe('mistakes', () => {
  test('suggest the key that was meant', () => {
    expect(() => compile({ tempalte: 'x' })).toThrow(
      mistake({ code: 'unknown-key', where: `${path}.tempalte`, fix: 'did you mean "template"?' }),
    )
    expect(() => compile({ template: 'x', ice_tokn: '</E>' })).toThrow(
      mistake({ code: 'unknown-key', where: `${path}.ice_tokn`, fix: 'did you mean "ice_token"?' }),
    )
    expect(() => compile({ template: { round: [{ role: 'HUMAN', promt: '{q}' }] } })).toThrow(
      mistake({ code: 'unknown-key', where: `${path}.template.round[0].promt`, fix: 'did you mean "prompt"?' }),
    )
    expect(() => compile({ template: { begin: { rol: 'SYSTEM' }, round: ['x'] } })).toThrow(
      mistake({ code: 'missing', where: `${path}.template.begin.role`, fix: 'did you mean it by "rol"?' }),
    )
  })

  test('a template must be an object', () => {
    expect(() => compile('{question}')).toThrow(mistake({ code: 'wrong-type', where: path, fix: 'write { template: … } around it' }))
    expect(() => compile({})).toThrow(mistake({ code: 'missing', where: `${path}.template` }))
  })

  test('an unknown kind of template is refused', () => {
    for (const template of [3, null, ['x'], true])
      expect(() => compile({ template })).toThrow(mistake({ code: 'wrong-type', where: `${path}.template` }))
  })

  test('a dialogue has begin, round or end; a round is not empty', () => {
    expect(compile({ template: { begin: 'x' } }).body).toMatchObject({ kind: 'dialogue', round: [], lacksRound: true })
    expect(() => compile({ template: {} })).toThrow(mistake({ code: 'missing', where: `${path}.template.round` }))
    expect(() => compile({ template: { round: [] } })).toThrow(mistake({ code: 'empty', where: `${path}.template.round` }))
    expect(() => compile({ template: { round: 'x' } })).toThrow(mistake({ code: 'wrong-type', where: `${path}.template.round` }))
  })

  test('a misspelt key of a dialogue makes it a map of labels, and the error says so', () => {
    expect(() => compile({ template: { begn: 'x', round: [{ role: 'HUMAN' }] } })).toThrow(
      mistake({
        code: 'wrong-type',
        where: `${path}.template.round`,
        problem: '"begn" makes this a map of labels, but "round" holds a list of turns',
        fix: 'a dialogue has only the keys begin, round, end: did you mean "begin"?',
      }),
    )
    expect(() => compile({ template: { rounds: [{ role: 'HUMAN' }] } })).toThrow(
      mistake({ code: 'wrong-type', where: `${path}.template.rounds`, fix: 'did you mean "round"?' }),
    )
  })

  test('a label must have a string or a dialogue', () => {
    expect(() => compile({ template: { A: 3, B: 'x' } })).toThrow(mistake({ code: 'wrong-type', where: `${path}.template.A` }))
    expect(() => compile({ template: { A: null, B: 'x' } })).toThrow(mistake({ code: 'wrong-type', where: `${path}.template.A` }))
    expect(() => compile({ template: { 'label 1': { foo: 1 }, B: 'x' } })).toThrow(
      mistake({ code: 'wrong-type', where: `${path}.template["label 1"]`, fix: 'use only the keys begin, round and end' }),
    )
  })

  test('a string must contain its ice token, and so must a dialogue with a string part', () => {
    expect(() => compile({ template: 'x', ice_token: '</E>' })).toThrow(mistake({ code: 'ice-token-missing', where: `${path}.template` }))
    expect(() => compile({ template: { A: '</E>', B: 'x' }, ice_token: '</E>' })).toThrow(
      mistake({ code: 'ice-token-missing', where: `${path}.template.B` }),
    )
    expect(() => compile({ template: { begin: 'x', round: ['y'] }, ice_token: '</E>' })).toThrow(mistake({ code: 'ice-token-missing' }))
    expect(compile({ template: { begin: '</E>', round: ['y'], end: 'z' }, ice_token: '</E>' })).toMatchObject({
      body: { kind: 'dialogue' },
    })
    expect(compile({ template: { begin: ['x'], round: ['y'] }, ice_token: '</E>' })).toMatchObject({ body: { kind: 'dialogue' } })
  })

  test('an ice token must not be empty', () => {
    expect(() => compile({ template: 'x', ice_token: '' })).toThrow(mistake({ code: 'empty', where: `${path}.ice_token` }))
  })

  test('two columns, or a column and the examples, cannot share a token', () => {
    expect(() => compile({ template: '<t>', column_token_map: { a: '<t>', b: '<t>' } })).toThrow(
      mistake({ code: 'duplicate-token', where: `${path}.column_token_map.b`, problem: '"<t>" already stands for the column "a"' }),
    )
    expect(() => compile({ template: '</E>', ice_token: '</E>', column_token_map: { a: '</E>' } })).toThrow(
      mistake({ code: 'duplicate-token', problem: '"</E>" already stands for the examples (ice_token)' }),
    )
  })
})

describe("under compat: 'opencompass'", () => {
  test('unknown keys are dropped, with a note', () => {
    const { notes, body } = compile({ template: { round: [{ role: 'HUMAN', promt: 'x', prompt: 'y' }] } }, 'opencompass')
    expect(notes.map(({ code, where }) => [code, where])).toEqual([['unknown-key', `${path}.template.round[0].promt`]])
    expect(body).toMatchObject({ round: [{ role: 'HUMAN', prompt: { segments: [{ text: 'y' }] } }] })
  })

  test('turns without a role, empty rounds and empty ice tokens are accepted', () => {
    expect(compile({ template: { round: [{ prompt: 'y' }] } }, 'opencompass').body).toMatchObject({ round: [{ role: '' }] })
    expect(compile({ template: { round: [] } }, 'opencompass').body).toMatchObject({ round: [] })
    expect(compile({ template: 'x', ice_token: '' }, 'opencompass').iceToken).toBe('')
  })

  test("a mistake in a label's template is found when that label is used", () => {
    const config = { template: { A: 'x', B: { begin: 5 } } }
    expect(() => compile(config)).toThrow(mistake({ code: 'wrong-type', where: `${path}.template.B.begin` }))
    const { body } = compile(config, 'opencompass')
    if (body.kind !== 'labels') throw new Error('not labels')
    expect(body.bodyOf('A').kind).toBe('text')
    expect(() => body.bodyOf('B')).toThrow(mistake({ code: 'wrong-type' }))
  })
})
