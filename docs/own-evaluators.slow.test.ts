import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folderWith } from '../proof/testing/folder-with.ts'
import { rolecall } from '../proof/testing/rolecall.ts'

const page = readFileSync(new URL('own-evaluators.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code)
const [rows = '', base = '', js = '', python = ''] = ['jsonl', 'text', 'js', 'python'].map((language) => blocks(language)[0])
const files = { 'rows.jsonl': rows, 'score.ts': js, 'score.py': python }

test.for(blocks('yaml').map((check, index) => [index + 1, check] as const))('example %i runs and has a score', async ([, check]) => {
  const at = folderWith({ ...files, 'eval.yaml': `${base}${check}` })
  const { code, stdout, stderr } = await rolecall(['run', 'eval.yaml', '--json'], at)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout).results).toMatchObject([{ rows: 3, failed: 0, value: expect.any(Number) }])
})

test('the page has ten examples', () => expect(blocks('yaml')).toHaveLength(10))
