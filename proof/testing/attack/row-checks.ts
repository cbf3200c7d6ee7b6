import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith } from '../folder-with.ts'
import { rolecall } from '../rolecall.ts'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack } from './attack.ts'

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`)

/** Checks that a row may name in the column of a short config: some run code, read files, match for ever or are no checks. */
const checks: readonly unknown[] = [
  ...['own.ts:yes', 'own.mjs:yes', './own.ts:yes', '../own.ts:yes', 'data:text/javascript,export const yes = 1:yes'].map((ts) => ({ ts })),
  ...['score.py:yes', '/etc/passwd:yes', '../../../etc/passwd:yes', 'os:system', 'subprocess.run'].map((python) => ({ python })),
  ...['(a+)+$', '(?=(a+))a*b', String.raw`\s*\s*\s*\s*y`, '(a|a)*b', '(', 'a{99999}{99999}', String.raw`(a)\1{50}b`].map((regex) => ({
    regex,
  })),
  ...[
    { judge: 'Is {q} right?' },
    { judge: '' },
    { column: 'check' },
    { not: true },
    { fields: { constructor: 1 } },
    { exact: true, weight: 1e308 },
  ],
  ...[{ exact: true, weight: -1 }, { number: { within: -1 } }, { contains: Array(20_000).fill('no') }, { contains: 'file:///etc/passwd' }],
  ...[
    { json: nested(300) },
    { json: { $ref: 'file:///etc/passwd' } },
    { json: { pattern: '(a+)+$' } },
    nested(300),
    'ts',
    'python',
    'no',
    5,
    null,
    [],
    {},
  ],
  JSON.parse('{"__proto__": {"contains": "a"}}'),
  JSON.parse('{"exact": true, "__proto__": {"polluted": 1}}'),
]

/** Rows of a short config that name their own checks. */
export const rowChecks: Attack = {
  name: 'checks of rows',
  holds: 'no check that a row names runs code of a file, stops the command or changes a prototype; a run takes less than 20 s',
  async run({ chance, slack, goesOn, tried, gotThrough }) {
    const owned = (extension: string) => `owned-${extension}`
    const folder = folderWith({
      ...Object.fromEntries(
        ['ts', 'mjs'].map((extension) => [
          `own.${extension}`,
          `import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('./${owned(extension)}', import.meta.url), '')\nexport const yes = () => 1\n`,
        ]),
      ),
      'score.py': 'def yes(reply, gold): return True\n',
    })
    const server = await scriptedServer(() => ({
      json: { choices: [{ message: { role: 'assistant', content: `${'a'.repeat(20_000)}${' '.repeat(5000)}` }, finish_reason: 'stop' }] },
    }))
    const run = (check: unknown, given: unknown) => {
      rmSync(join(folder, 'out'), { recursive: true, force: true })
      writeFileSync(join(folder, 'rows.jsonl'), `${JSON.stringify({ q: 'What?', a: 'x', check })}\n`)
      const config = { data: 'rows.jsonl', prompt: '{q}', model: `openai:m@${server.url}`, gold: 'a', check: given }
      writeFileSync(join(folder, 'eval.json'), JSON.stringify(config))
      return rolecall(['run', 'eval.json', '-w', 'out', '--no-cache', '--json'], folder, { OPENAI_API_KEY: 'none' })
    }
    try {
      const honest = await run({ contains: 'aaa' }, { column: 'check' })
      if (honest.code !== 0 || !honest.stdout.includes('"value": 100'))
        gotThrough(`an honest check ended with ${honest.code}: ${honest.stderr}`)
      while (goesOn()) {
        const check = chance.pick(checks)
        const started = performance.now()
        const { code, stdout, stderr } = await run(check, { column: 'check' })
        tried()
        const how = `${JSON.stringify(check).slice(0, 200)} ended with ${code}`
        const milliseconds = performance.now() - started
        if (milliseconds > 20_000 * slack) gotThrough(`${how} after ${milliseconds} ms`)
        if (/ {4}at |RangeError|TypeError/.test(stderr)) gotThrough(`${how}: ${stderr.slice(0, 500)}`)
        if (/root:.*:0:0:/.test(stdout + stderr)) gotThrough(`${how}: it read a private file`)
        if ('polluted' in {}) gotThrough(`${how}: a prototype was changed`)
        for (const extension of ['ts', 'mjs'])
          if (existsSync(join(folder, owned(extension)))) {
            gotThrough(`${how}: the code of own.${extension} ran`)
            rmSync(join(folder, owned(extension)))
          }
      }
    } finally {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
