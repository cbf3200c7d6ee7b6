import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { quirksOf } from '../fidelity/quirks.ts'
import { check, kindOf, placeOf } from './check.ts'
import type { Note } from './note.ts'

const turn = z.strictObject({ role: z.string(), prompt: z.string().optional(), begin: z.array(z.int().nonnegative()).optional() })
const schema = z.strictObject({
  begin: z.union([z.string(), turn, z.array(z.union([z.string(), turn]))]).optional(),
  round: z.array(turn).min(1),
  labels: z.record(z.string(), turn).optional(),
  mode: z.enum(['gen', 'ppl']).optional(),
  token: z.string().min(1).nullish(),
})
const run = (value: unknown, where = 'template') => check(schema, value, where)
const mistake = (details: object) => expect.objectContaining(details)
const round = [{ role: 'HUMAN' }]

test('valid input is returned as the schema parses it', () => {
  const value = { begin: ['a', { role: 'SYSTEM' }], round }
  expect(run(value)).toEqual(value)
  expect(check(z.object({ a: z.number().default(3) }), {}, 'x')).toEqual({ a: 3 })
})

describe('an unknown key', () => {
  test('is refused with its path and the nearest key', () => {
    expect(() => run({ round, begn: 'x' })).toThrow(
      mistake({ code: 'unknown-key', where: 'template.begn', problem: '"begn" is not known here', fix: 'did you mean "begin"?' }),
    )
    expect(() => run({ round: [{ role: 'HUMAN', prompts: 'x' }] })).toThrow(
      mistake({ where: 'template.round[0].prompts', fix: 'did you mean "prompt"?' }),
    )
  })

  test('far from all others is refused with the list of known keys', () => {
    expect(() => run({ round: [{ role: 'HUMAN', temperature: 1 }] })).toThrow(mistake({ fix: 'use one of: role, prompt, begin' }))
  })

  test('is found inside unions, lists and records', () => {
    expect(() => run({ round, begin: { role: 'SYSTEM', promt: 'x' } })).toThrow(
      mistake({ where: 'template.begin.promt', fix: 'did you mean "prompt"?' }),
    )
    expect(() => run({ round, begin: ['a', { role: 'SYSTEM', promt: 'x' }] })).toThrow(
      mistake({ where: 'template.begin[1].promt', fix: 'did you mean "prompt"?' }),
    )
    expect(() => run({ round, labels: { 'label A': { role: 'x', promt: '' } } })).toThrow(
      mistake({ where: 'template.labels["label A"].promt', fix: 'did you mean "prompt"?' }),
    )
  })

  test('is dropped with a note under the quirk, at any depth, and everything else is still checked', () => {
    const notes: Note[] = []
    const quirks = quirksOf('opencompass')
    expect(
      check(schema, { round: [{ role: 'HUMAN', promt: 'x', y: 1 }], z: 2, begin: [{ role: 'S', q: 1 }] }, 't', { quirks, notes }),
    ).toEqual({
      round,
      begin: [{ role: 'S' }],
    })
    expect(notes.map(({ code, where }) => [code, where]).sort()).toEqual([
      ['unknown-key', 't.begin[0].q'],
      ['unknown-key', 't.round[0].promt'],
      ['unknown-key', 't.round[0].y'],
      ['unknown-key', 't.z'],
    ])
    expect(() => check(schema, { round: [{ rol: 'HUMAN' }] }, 't', { quirks })).toThrow(mistake({ code: 'missing' }))
  })
})

describe('a missing key', () => {
  test('is named with the expected type', () => {
    expect(() => run({})).toThrow(
      mistake({ code: 'missing', where: 'template.round', problem: '"round" is missing', fix: 'add it (expected a list)' }),
    )
    expect(() => run({ round: [{}] })).toThrow(
      mistake({ code: 'missing', where: 'template.round[0].role', fix: 'add it (expected a string)' }),
    )
  })

  test('that was misspelt is named with the given spelling', () => {
    expect(() => run({ rounds: round })).toThrow(mistake({ code: 'missing', where: 'template.round', fix: 'did you mean it by "rounds"?' }))
    expect(() => run({ round, begin: [{ rol: 'x' }] })).toThrow(
      mistake({ where: 'template.begin[0].role', fix: 'did you mean it by "rol"?' }),
    )
  })
})

describe('a wrong value', () => {
  test('names the expected and the actual value', () => {
    expect(() => run({ round: 'x' })).toThrow(
      mistake({ code: 'wrong-type', where: 'template.round', problem: 'expected a list, found the string "x"' }),
    )
    expect(() => run({ round: [{ role: 3 }] })).toThrow(
      mistake({ code: 'wrong-type', where: 'template.round[0].role', problem: 'expected a string, found the number 3' }),
    )
    expect(() => run(null)).toThrow(mistake({ code: 'wrong-type', where: 'template', problem: 'expected an object, found nothing' }))
    expect(() => run({ round, token: [] })).toThrow(mistake({ code: 'wrong-type', problem: 'expected a string, found an empty list' }))
  })

  test('of a union lists all alternatives', () => {
    expect(() => run({ round, begin: 3 })).toThrow(
      mistake({ code: 'wrong-type', where: 'template.begin', problem: 'expected a string or an object or a list, found the number 3' }),
    )
  })

  test('of a choice names the nearest option and all others', () => {
    expect(() => run({ round, mode: 'pppl' })).toThrow(
      mistake({
        code: 'wrong-value',
        where: 'template.mode',
        problem: 'the string "pppl" is not allowed here',
        fix: expect.stringContaining('did you mean "ppl"?'),
      }),
    )
    expect(() => run({ round, mode: 7 })).toThrow(mistake({ code: 'wrong-value', fix: 'use one of: gen, ppl' }))
  })

  test('that is empty is reported as empty', () => {
    expect(() => run({ round: [] })).toThrow(mistake({ code: 'empty', where: 'template.round', problem: 'the list is empty' }))
    expect(() => run({ round, token: '' })).toThrow(mistake({ code: 'empty', where: 'template.token', problem: 'the string is empty' }))
  })

  test('that is too small is reported with the minimum', () => {
    expect(() => run({ round: [{ role: 'x', begin: [1, -2] }] })).toThrow(
      mistake({ where: 'template.round[0].begin[1]', problem: 'the number -2 is too small', fix: 'use 0 or more' }),
    )
  })
})

describe('a path', () => {
  test('is written as a user would access it', () => {
    expect(placeOf('config', ['models', 0, 'abbr'])).toBe('config.models[0].abbr')
    expect(placeOf('t', ['label A', '1', '问题'])).toBe('t["label A"]["1"].问题')
    expect(placeOf('', ['models'])).toBe('models')
    expect(placeOf('sums › ', ['infer_cfg'])).toBe('sums › infer_cfg')
    expect(placeOf('t', [])).toBe('t')
  })
})

test('a value is described in the user’s terms', () => {
  expect([null, undefined, [], [1], {}, 'a"b', 3, true].map(kindOf)).toEqual([
    'nothing',
    'nothing',
    'an empty list',
    'a list',
    'an object',
    'the string "a\\"b"',
    'the number 3',
    'the boolean true',
  ])
  expect(kindOf('x'.repeat(50))).toBe(`the string "${'x'.repeat(40)}…"`)
})
