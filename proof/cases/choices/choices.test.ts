import { describe, expect, test } from 'vitest'
import { choiceRead, firstOption, measureReader, mmluProOption, readChoices } from './read-choices.ts'

const parts = {
  english: readChoices('english'),
  chinese: readChoices('chinese'),
  'held-back': readChoices('held-back'),
  'held-back-2': readChoices('held-back-2'),
}

describe.each(Object.entries(parts))('%s', (_, replies) => {
  for (const style of new Set(replies.map(({ style }) => style)))
    test(`${style}: the option a reply states, and no other`, () => {
      const wrong = replies
        .filter((reply) => reply.style === style)
        .map((reply) => ({ said: reply.said, is: reply.is, read: choiceRead(reply) }))
        .filter(({ is, read }) => read !== is)
      expect(wrong).toEqual([])
    })
})

test('the table has hundreds of replies in two languages, with and without an answer, and no duplicates', () => {
  const all = Object.values(parts).flat()
  expect(all.length).toBeGreaterThan(700)
  expect(parts['held-back'].length).toBeGreaterThan(120)
  expect(all.filter(({ said }) => /\p{Script=Han}/u.test(said)).length).toBeGreaterThan(200)
  expect(all.filter(({ is }) => is === null).length).toBeGreaterThan(200)
  expect(new Set(all.map(({ said, choices, cut, options }) => JSON.stringify([said, choices, cut, options]))).size).toBe(all.length)
})

test('extractors that take some letter read wrong ones', () => {
  const all = Object.values(parts).flat()
  for (const read of [firstOption, mmluProOption]) {
    const { precision, recall } = measureReader(all, read)
    expect(precision).toBeLessThan(0.7)
    expect(recall).toBeLessThan(0.85)
  }
  expect(measureReader(all, choiceRead).precision).toBeGreaterThan(0.99)
})
