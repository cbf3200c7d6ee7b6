import { describe, expect, test } from 'vitest'
import { scoringOfChecks } from '../../score/checks/scoring-of-checks.ts'
import type { RowRecord } from '../record/run-record.ts'
import { accepting } from './alternatives.ts'
import { chooseAlternative } from './choose-alternative.ts'
import { diagnose } from './diagnose.ts'
import type { ScoreFinding } from './score-finding.ts'

const words = ['Rome', 'Oslo', 'Lima', 'Paris', 'Cairo', 'Delhi', 'Quito', 'Seoul', 'Tunis', 'Hanoi']
const rows = Array.from({ length: 60 }, (_, id) => ({ id, gold: words[id % words.length]! }))
/** Two of three replies know the answer. */
const knows = (id: number) => id % 3 !== 0
const other = (id: number) => words[(id + 3) % words.length]!

type Fault = {
  reply?: (id: number, gold: string) => string
  more?: (id: number) => Partial<RowRecord>
  gold?: (id: number, gold: string) => string
  check?: string
}

/** The records of a run that compares texts exactly, with a fault in them. */
function recordsOf({
  reply = (id, gold) => (knows(id) ? gold : other(id)),
  more = () => ({}),
  gold: goldOf = (_, gold) => gold,
  check = 'exact',
}: Fault): RowRecord[] {
  const accepts = accepting(scoringOfChecks(check, 'check'))
  return rows.map(({ id, gold: word }): RowRecord => {
    const gold = goldOf(id, word)
    const prediction = reply(id, gold)
    return {
      ...{
        id,
        key: '',
        row_hash: `row ${id}`,
        prompt_hash: '',
        prediction,
        gold,
        score: Number(accepts(prediction, gold)),
        finish: 'stop',
        milliseconds: 1,
      },
      tokens: { prompt: 1, reused: 0, reply: 1 },
      examples: { used: 0, dropped: 0 },
      ...more(id),
    }
  })
}

function findings(fault: Fault): ScoreFinding[] {
  const accepts = accepting(scoringOfChecks(fault.check ?? 'exact', 'check'))
  return diagnose({ records: recordsOf(fault), isVerdict: true, acceptsGold: (gold) => accepts(String(gold), gold) })
}

const numbers = (id: number) => String(100 + id * 7)

test.each<[fault: string, code: string, fix: string, given: Fault]>([
  [
    'a chatty model',
    'extraction',
    'check: contains',
    { reply: (id, gold) => `I think that it is ${knows(id) ? gold : other(id)} in this case` },
  ],
  ['other letters', 'extraction', 'check: iexact', { reply: (id, gold) => (knows(id) ? gold.toUpperCase() : other(id)) }],
  [
    'numbers in sentences',
    'extraction',
    'check: number',
    { gold: numbers, reply: (id, gold) => `Adding up 3 and 4, the answer is ${knows(id) ? gold : '12'}.00 euros` },
  ],
  [
    'answers in code blocks',
    'code-fence',
    'check: { exact: true, extract: fenced }',
    { reply: (id, gold) => `\`\`\`text\n${knows(id) ? gold : other(id)}\n\`\`\`` },
  ],
  [
    'replies that were cut',
    'cut',
    'raise max_tokens',
    { reply: (id, gold) => (id % 4 === 0 ? 'Let us see, first' : gold), more: (id) => (id % 4 === 0 ? { finish: 'length' } : {}) },
  ],
  ['a model that never stops', 'never-stops', 'set the format', { reply: () => 'and so on and so on', more: () => ({ finish: 'length' }) }],
  ['markers of another format', 'markers', 'set the format', { reply: (id, gold) => (id % 2 === 0 ? `${gold}<|im_end|>` : gold) }],
  ['empty replies', 'empty', 'look at the prompt', { reply: (id, gold) => (id % 5 === 0 ? '' : gold) }],
  [
    'answers left in the reasoning',
    'in-reasoning',
    'raise max_tokens',
    { reply: (id, gold) => (id % 5 === 0 ? ' ' : gold), more: (id) => (id % 5 === 0 ? { reasoning: `It must be ${words[id % 10]}` } : {}) },
  ],
  [
    'refusals',
    'refused',
    'look at the system prompt',
    { reply: (id, gold) => (id % 6 === 0 ? 'I am sorry, but I cannot help with that.' : gold) },
  ],
  ['another language', 'other-language', 'ask for the language', { reply: (id, gold) => (id % 6 === 0 ? '首都是罗马，我认为' : gold) }],
  [
    'gold answers that cannot be right',
    'bad-gold',
    'correct the gold answers',
    { check: 'number', gold: (id) => (id % 10 === 0 ? 'none' : numbers(id)), reply: (id) => numbers(id) },
  ],
  [
    'examples that are the row asked',
    'leaked-examples',
    'take the examples from other rows',
    { more: (id) => (id < 5 ? { notes: [{ code: 'example-is-question', text: 'an example is the row being asked' }] } : {}) },
  ],
  ['rows that repeat', 'duplicates', 'remove the repetitions', { more: (id) => (id > 50 ? { row_hash: 'row 3' } : {}) }],
  [
    'one letter preferred',
    'one-letter',
    'shuffle the choices',
    { gold: (id) => 'ABCD'[id % 4]!, reply: (id) => (id % 3 === 0 ? 'ABCD'[id % 4]! : 'A') },
  ],
])('%s: %s, and nothing else', (_, code, fix, given) => {
  const found = findings(given)
  expect(found.map((one) => one.code)).toEqual([code])
  expect(found[0]!.fix).toContain(fix)
  expect(found[0]!.rows.length).toBeGreaterThan(2)
})

test.each<[what: string, given: Fault]>([
  ['right and wrong answers', {}],
  ['only right answers', { reply: (_, gold) => gold }],
  ['only wrong answers', { reply: (id) => other(id) }],
  [
    'long replies that are scored by what they contain',
    { check: 'contains', reply: (id, gold) => `It is ${knows(id) ? gold : other(id)}.` },
  ],
  ['letters chosen as often as they are right', { gold: (id) => 'ABCD'[id % 4]!, reply: (id) => 'ABCD'[(id + (id % 3)) % 4]! }],
])('a run without faults, with %s, has no finding', (_, given) => {
  expect(findings(given)).toEqual([])
})

describe('another scoring', () => {
  test('has a gain that other rows measure than chose it, with its interval and what it accepts by chance', () => {
    const [found] = findings({ reply: (id, gold) => `I think that it is ${knows(id) ? gold : other(id)} in this case` })
    expect(found!.rows).toEqual(rows.flatMap(({ id }) => (knows(id) ? [id] : [])))
    const { points, interval, tried, chosenOn, measuredOn, byChance } = found!.gain!
    expect({ chosenOn, measuredOn, tried }).toEqual({ chosenOn: 30, measuredOn: 30, tried: 8 })
    expect(points).toBeGreaterThan(30)
    expect(points).toBeLessThanOrEqual(67)
    expect(interval.low).toBeGreaterThan(0)
    // A wrong reply names the gold answer of another row.
    expect(byChance).toBeGreaterThan(0)
  })

  test('is not proposed if it accepts any gold answer', () => {
    expect(findings({ reply: (id) => (knows(id) ? words.join(', ') : words.slice(0, 9).join(', ')) })).toEqual([])
  })

  test('is not proposed if it makes a right reply wrong', () => {
    const replies = rows.map(({ id, gold }) => ({
      id,
      gold,
      reply: knows(id) && id !== 1 ? `It is ${gold}` : gold,
      isRight: id === 1 || !knows(id),
    }))
    const [scoring, code, fix] = [scoringOfChecks('contains', 'check'), 'extraction' as const, 'check: contains']
    const contains = (reply: string, gold: unknown) => reply.includes(String(gold))
    expect(chooseAlternative(replies, [{ code, fix, scoring, accepts: contains }])?.rows).toHaveLength(39)
    expect(
      chooseAlternative(replies, [{ code, fix, scoring, accepts: (reply, gold) => contains(reply, gold) && reply !== gold }]),
    ).toBeUndefined()
  })
})
