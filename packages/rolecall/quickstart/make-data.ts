import { writeFileSync } from 'node:fs'
import { seededRandom } from '../src/model/language-model/sampling.ts'

/**
 * Writes the quickstart's rows: `node scripts/ts.mjs packages/rolecall/quickstart/make-data.ts`. They are made up here, from a seed, and none is taken
 * from what the embedded model was trained on, though sums of small numbers cannot all be new to it.
 */
const random = seededRandom(2024)
const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
const pick = <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)]!

function sums(): object[] {
  const rows = new Map<string, object>()
  while (rows.size < 60) {
    const operator = pick(['+', '+', '-', '-', '*'])
    const digits = () => pick([9, 99, 99, 999])
    let [a, b] = operator === '*' ? [whole(2, 12), whole(2, 12)] : [whole(1, digits()), whole(1, digits())]
    if (operator === '-' && b > a) [a, b] = [b, a]
    const answer = operator === '+' ? a + b : operator === '-' ? a - b : a * b
    const question = pick([
      `${a}${operator}${b}=?`,
      `What is ${a} ${operator} ${b}?`,
      `计算 ${a}${operator}${b}`,
      `${a}${operator}${b}等于多少？`,
    ])
    rows.set(question, { question, answer: String(answer) })
  }
  return [...rows.values()]
}

function choices(): object[] {
  const rows = new Map<string, object>()
  while (rows.size < 25) {
    const isLargest = random() < 0.5
    const options = new Set<number>()
    while (options.size < 4) options.add(whole(0, 199))
    const numbers = [...options]
    const right = isLargest ? Math.max(...numbers) : Math.min(...numbers)
    const question = `Which number is the ${isLargest ? 'largest' : 'smallest'}?`
    const [A, B, C, D] = numbers.map(String)
    rows.set(numbers.join(), { question, A, B, C, D, answer: 'ABCD'[numbers.indexOf(right)] })
  }
  return [...rows.values()]
}

/** What is asked is never said: only the examples show that the word is to be written backwards. */
function pattern(): { asked: object[]; examples: object[] } {
  const words =
    'lamp door ring book star wind rain milk cake salt gold king ship road farm leaf rock sand wolf bear frog duck lion rice soup'
  const rows = words.split(' ').map((word) => ({ word, answer: [...word].reverse().join('') }))
  const examples = ['moon', 'tree', 'bird'].map((word) => ({ word, answer: [...word].reverse().join('') }))
  return { asked: rows, examples }
}

function write(name: string, rows: readonly object[]): void {
  writeFileSync(new URL(`data/${name}.jsonl`, import.meta.url), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

const { asked, examples } = pattern()
write('sums', sums())
write('choices', choices())
write('pattern', asked)
write('pattern-examples', examples)
