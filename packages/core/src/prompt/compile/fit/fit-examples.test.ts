import { describe, expect, test } from 'vitest'
import { countWords } from './count-words.ts'
import { type FitOptions, fitExamples } from './fit-examples.ts'

const examples = [{ q: 'a' }, { q: 'b' }, { q: 'c' }]
const render: FitOptions<string>['render'] = (kept) => [...kept.map((row) => String((row as { q: string }).q)), 'question'].join(' ')
const fitTo = (limit: number | undefined, given: Partial<FitOptions<string>> = {}) =>
  fitExamples({ examples, limit, render, count: countWords, ...given })

test('all examples stay when they fit, and when there is no limit', () => {
  for (const limit of [undefined, 4, 100]) {
    expect(fitTo(limit)).toEqual({ rendered: 'a b c question', kept: 3, dropped: 0, fits: true, notes: [] })
  }
})

test('examples are dropped from the end until the prompt fits, with a note', () => {
  expect(fitTo(3)).toEqual({
    rendered: 'a b question',
    kept: 2,
    dropped: 1,
    fits: true,
    notes: [{ code: 'examples-dropped', text: '1 example was dropped to stay within 3 tokens' }],
  })
  expect(fitTo(2)).toMatchObject({
    rendered: 'a question',
    kept: 1,
    notes: [{ text: '2 examples were dropped to stay within 2 tokens' }],
  })
})

test('a question that is too long even without examples is not cut', () => {
  expect(fitTo(0)).toMatchObject({
    rendered: 'question',
    kept: 0,
    dropped: 3,
    fits: false,
    notes: [{ code: 'examples-dropped' }, { code: 'too-long', text: 'the prompt is longer than 0 tokens even without examples' }],
  })
  expect(fitTo(0, { examples: [] })).toMatchObject({ kept: 0, dropped: 0, fits: false, notes: [{ code: 'too-long' }] })
})

describe('the prompts of all labels', () => {
  test('keep the same examples: as many as fit the longest', () => {
    const labels = ['A', 'B two words']
    const { rendered, kept } = fitExamples({
      examples,
      limit: 5,
      render: (rows) => labels.map((label) => `${render(rows)} ${label}`),
      count: (prompts) => Math.max(...prompts.map(countWords)),
    })
    expect(kept).toBe(1)
    expect(rendered).toEqual(['a question A', 'a question B two words'])
  })
})

test('the prompt is rendered once per number of examples tried', () => {
  const tried: number[] = []
  fitTo(2, {
    render: (rows) => {
      tried.push(rows.length)
      return render(rows)
    },
  })
  expect(tried).toEqual([3, 2, 1])
})
