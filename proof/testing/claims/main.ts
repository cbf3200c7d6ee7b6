import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type CheckoutTable, checkoutLines, tableFile } from '../../../docs/opencompass-configs.ts'
import { lmEvalClaims } from './lm-eval-claims.ts'
import { madeUpServer } from './made-up-server.ts'
import { openCompassClaims } from './opencompass-claims.ts'
import { claimLines, isTrue } from './run-outcome.ts'

// Prepares every config of whole checkouts and compares the report's words with what a run does.
const { values } = parseArgs({
  options: { opencompass: { type: 'string' }, 'lm-eval': { type: 'string' }, commit: { type: 'string' }, write: { type: 'boolean' } },
})
const { opencompass, 'lm-eval': lmEval, write = false } = values
if (opencompass === undefined && lmEval === undefined) {
  console.error(
    'usage: npm run proof -- claims [--opencompass DIR] [--lm-eval DIR] [--write]\n--write stores the table of docs/opencompass.md; --commit names the commit where DIR has no .git',
  )
  process.exit(2)
}
const [checkout, tasks] = [opencompass, lmEval].map((path) => (path === undefined ? undefined : resolve(path)))
const work = mkdtempSync(join(tmpdir(), 'rolecall-claims-'))
// Data is looked for in the working folder: here there is none.
process.chdir(work)
const server = await madeUpServer()
// As with `run --judge`: most configs with a judge do not name it.
process.env.OC_JUDGE_MODEL = 'any'
process.env.OC_JUDGE_API_BASE = server.url
// Nor do configs say where embeddings and entropies come from.
process.env.ROLECALL_EMBEDDINGS = `any@${server.url}`
process.env.ROLECALL_CE_MODEL = `any@${server.url}`
let wrong = 0
try {
  for (const [title, claimed] of [
    ['OpenCompass', checkout && (() => openCompassClaims(checkout, { url: server.url, work }))],
    ['lm-evaluation-harness', tasks && (() => lmEvalClaims(tasks, { url: server.url, work }))],
  ] as const) {
    if (!claimed) continue
    const started = performance.now()
    const { words, claims } = await claimed()
    const all = words.ready + words['not checked'] + words['cannot run']
    console.log(`${title}: ${all} configs: ${words.ready} ready, ${words['not checked']} not checked, ${words['cannot run']} cannot run`)
    console.log(claimLines(title, claims).join('\n'))
    console.log(`${title}: ${Math.round((performance.now() - started) / 1000)} s\n`)
    wrong += claims.filter((claim) => !isTrue(claim)).length
    if (title === 'OpenCompass' && write) writeTable(checkout!, words, await checkoutLines(checkout!))
  }
} finally {
  await server.close()
  process.chdir(tmpdir())
  rmSync(work, { recursive: true, force: true })
}
const { userCPUTime, maxRSS } = process.resourceUsage()
console.log(`${wrong} contradictions; ${Math.round(userCPUTime / 1e6)} s of processor time, at most ${Math.round(maxRSS / 1024)} MB`)
process.exitCode = wrong > 0 ? 1 : 0

function writeTable(folder: string, configs: CheckoutTable['configs'], lines: CheckoutTable['lines']): void {
  const commit = values.commit ?? execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  const [, version = ''] = /__version__ = '(.*)'/.exec(readFileSync(join(folder, 'opencompass/__init__.py'), 'utf8')) ?? []
  writeFileSync(tableFile, `${JSON.stringify({ commit, version, configs, lines } satisfies CheckoutTable, null, 2)}\n`)
}
