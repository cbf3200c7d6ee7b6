import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeRules } from './code-rules.ts'
import { replyRules } from './reply-rules.ts'

test('docs/replies.md lists every rule with its reason', () => {
  const page = readFileSync(new URL('../../docs/replies.md', import.meta.url), 'utf8')
  const rows = Object.entries({ ...replyRules, ...codeRules }).map(([name, { reason }]) => `| \`${name}\` | ${reason} |`)
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})
