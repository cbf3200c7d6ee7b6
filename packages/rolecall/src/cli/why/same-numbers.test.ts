import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

/** Results of which so many rows are right. */
function results(rows: number, right: number): string {
  const line = (id: number) => ({ id, prompt: `Q${id}?`, prediction: id < right ? 'A' : 'B', gold: 'A', score: id < right ? 1 : 0 })
  return Array.from({ length: rows }, (_, id) => `${JSON.stringify(line(id))}\n`).join('')
}

test.for([
  ['4.25 points', 400, 100, 117, '+4.3'],
  ['−0.05 points', 2000, 1001, 1000, '−0.1'],
  ['99.95 points', 2000, 0, 1999, '+100.0'],
] as const)('%s are the same number in compare, in why, in all its details and on its page', async ([, rows, before, after, shown]) => {
  const folder = folderWith({ 'before/qa.jsonl': results(rows, before), 'after/qa.jsonl': results(rows, after) })
  const print = async (...args: string[]) => {
    const { code, stdout, stderr } = await rolecall([...args, 'before/qa.jsonl', 'after/qa.jsonl'], folder, { COLUMNS: '160' })
    expect([args, code, stderr]).toEqual([args, 0, expect.anything()])
    return stdout
  }
  const why = await print('why', '--export', 'why.html')
  expect(why).toMatch(new RegExp(`second − first +\\${shown} `))
  expect(why).toMatch(new RegExp(`sampling +\\${shown} `))
  const details = await print('why', '--verbose')
  expect(details).toContain(`difference ${shown}`)
  expect(details).toMatch(new RegExp(`sampling +\\${shown} `))
  const page = readFileSync(join(folder, 'why.html'), 'utf8')
  expect(page).toContain(`Why do these scores differ by ${shown}?`)
  expect(page.match(new RegExp(`<td class="number">\\${shown}</td>`, 'g'))).toHaveLength(2)
  expect(await print('compare')).toMatch(new RegExp(` − .* \\${shown} `))
  const all = [why, details, page].join('\n').match(/[+−]\d+\.\d(?=\D)/g) ?? []
  expect(all.filter((number) => number === shown).length).toBeGreaterThanOrEqual(6)
})
