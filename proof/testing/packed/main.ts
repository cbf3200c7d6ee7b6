import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuntime } from '../../../packages/rolecall/src/node/interpreters/python/find-runtime.ts'
import { hasPython, installsOnDemand } from '../on-demand.ts'
import { publintProblems, typesProblems } from './examine.ts'
import { firstMinutes } from './first-minute.ts'
import { installsOffline } from './offline.ts'
import { contentProblems, installPacked, megabytes, pack } from './pack.ts'
import { type Outcome, smokeTests } from './smoke.ts'
import { installTools } from './tools.ts'

// `npm run proof -- check-package [--quick] [--tools FOLDER]`: packs the build, checks it, installs it in an empty folder and uses it there.
// --quick skips other runtimes (600 MB from npm) and tries two kinds of rows, others with each commit, as in CI.
const given = process.argv.slice(2)
const isQuick = given.includes('--quick')
const begin = performance.now()
const seconds = () => `${((performance.now() - begin) / 1000).toFixed(0)} s`
const say = (text: string) => process.stdout.write(`${seconds().padStart(5)}  ${text}\n`)
const outcomes: Outcome[] = []
const report = (name: string, problems: readonly string[]) =>
  tell(problems.length === 0 ? { name } : { name, problem: problems.join('\n         ') })
const tell = (outcome: Outcome) => {
  outcomes.push(outcome)
  say(outcome.problem === undefined ? `✓ ${outcome.name}` : `✗ ${outcome.name}\n         ${outcome.problem}`)
}

const folder = mkdtempSync(join(tmpdir(), 'rolecall-packed-'))
try {
  const toolsFolder = given.includes('--tools') ? given[given.indexOf('--tools') + 1]! : join(tmpdir(), 'rolecall-package-tools')
  const tools = installTools(toolsFolder, !isQuick)
  for (const name of tools.missing) say(`- ${name} could not be had from npm`)
  const packed = await pack(folder)
  for (const one of packed) {
    const sizes = `${megabytes(one.size)} packed, ${megabytes(one.unpackedSize)} unpacked`
    report(`${one.name}: ${one.files.length} files, ${sizes}`, contentProblems(one))
    report(`${one.name}: publint`, await publintProblems(one, tools.folder))
    report(`${one.name}: are the types wrong`, await typesProblems(one, tools.folder))
  }
  const project = join(folder, 'project')
  const { size } = installPacked(packed, project)
  say(`  installed with its dependencies: ${megabytes(size)}`)
  for (const one of await smokeTests(project, tools.folder, tools.runtimes, isQuick ? undefined : denoHere())) tell(one)
  for (const outcome of firstMinutes(project, isQuick ? 2 : undefined)) tell(outcome)
  tell(installsOffline(project, folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const failed = outcomes.filter(({ problem }) => problem !== undefined)
say(failed.length === 0 ? `all ${outcomes.length} checks passed` : `${failed.length} of ${outcomes.length} checks failed`)
process.exitCode = failed.length === 0 ? 0 : 1

/** Deno is installed on demand, for the Python sandbox. */
function denoHere(): string | undefined {
  if (hasPython) return findRuntime().deno
  say(`- Deno is not installed: ${installsOnDemand}, ROLECALL_PEERS=.cache/peers`)
  return undefined
}
