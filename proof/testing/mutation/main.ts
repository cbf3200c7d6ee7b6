import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { applyMutant, makeMutants } from './make-mutants.ts'
import { importsOf, transpile } from './module-tree.ts'
import type { Site } from './protocol.ts'
import { type Outcome, runMutants } from './run-mutants.ts'
import { sample } from './sample.ts'
import { TypeCheck } from './type-check.ts'

const covered = [
  'packages/core/src/base/jinja',
  'packages/core/src/base/python',
  'packages/rolecall/src/evaluation/run',
  'packages/rolecall/src/evaluation/score',
  'packages/core/src/reply',
  'packages/core/src/prompt/format/adapt',
]

const help = `npm run proof -- mutate [--sample N] [--seed S] [--workers W] [--json] [folders]

Makes small changes (mutants) to the source and lists those that no test catches. The tests run in a copy of the repository without
../shared and Python. Candidates are the tests of the folders, of cases and of the folders that use them; each mutant runs those that
reach it. Properties run 20 times, and 400 times if every test passed. The compiler then checks the surviving mutants: one that does
not compile counts as caught, since \`npm test\` checks types.

  --sample N   number of mutants (200); 0 for all
  --seed S     seed of the sample (1)
  --workers W  threads (one per core)
  --json       machine-readable output
  folders      ${covered.join(' ')}, or files in them`

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Further tests to run: those of cases and of the folders that use the covered ones most. */
const otherTests = [
  'cases',
  'packages/rolecall/src/compat/opencompass/import', // Python's syntax
  'packages/core/src/prompt/format',
  'packages/core/src/prompt/conversation',
  'packages/core/src/reply', // the reply parser
  'packages/rolecall/src/evaluation/dataset/retrieve/retrievers.test.ts',
  'packages/rolecall/src/evaluation/run/record', // statistics
  'packages/rolecall/src/evaluation/run/samples-and-judges.test.ts',
  'packages/rolecall/src/evaluation/run/scores-of-runs.test.ts',
]

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(help)
  const folders = positionals.length > 0 ? positionals : covered
  const started = performance.now()
  const scratch = mkdtempSync(join(tmpdir(), 'rolecall-mutants-'))
  try {
    const root = join(scratch, 'repository')
    const files = copyRepository(root)
    const sources = files.filter((file) => /(?<!\.test|\.d)\.ts$/.test(file) && folders.some((folder) => isIn(file, folder)))
    const all = sources.flatMap((file) => makeMutants(readFileSync(join(root, file), 'utf8'), file).map((mutant) => ({ file, mutant })))
    const sites = sample(all, Number(values.sample) || all.length, Number(values.seed)).map((site, id): Site => ({ id, ...site }))
    const isSource = new Set(sources)
    // The tests of a file are often in another folder of its room.
    const rooms = folders.map((folder) => folder.split('/').slice(0, 3).join('/'))
    const isNear = (file: string) => [...rooms, ...otherTests].some((folder) => isIn(file, folder))
    const imports = new Map(
      files.filter((file) => /(?<!\.slow)\.test\.ts$/.test(file) && isNear(file)).map((file) => [file, importsOf(root, file)]),
    )
    const testFiles = [...imports].filter(([, imported]) => [...imported].some((path) => isSource.has(path))).map(([file]) => file)
    const needed = new Set(testFiles.flatMap((file) => [...imports.get(file)!]).filter((file) => file.endsWith('.ts')))
    const transpiled = new Map([...needed].map((file) => [file, transpile(readFileSync(join(root, file), 'utf8'), file)]))
    const {
      outcomes: byTests,
      tests,
      leftOut,
    } = await runMutants({
      root,
      testFiles,
      transpiled,
      sites,
      workers: Number(values.workers),
      modulesOf: (testFile) => imports.get(testFile)!,
    })
    const types = new TypeCheck(repository)
    const outcomes = byTests.map((outcome) => checkTypes(outcome, types))
    if (!values.json) for (const outcome of outcomes) show(outcome, root)
    const seconds = Math.round((performance.now() - started) / 1000)
    if (values.json) console.log(JSON.stringify({ outcomes, seconds }))
    else summarize(outcomes, folders, `${sites.length} of ${all.length} mutants, seed ${values.seed}; ${tests.length} tests; ${seconds} s`)
    for (const { file, why } of leftOut) console.warn(`left out: ${file}: ${why.split('\n')[0]}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder.replace(/\/$/, '')}/`)
}

/** Copies tracked and untracked files that git does not ignore, so that the working tree stays untouched. */
function copyRepository(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: repository, encoding: 'utf8' })
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(repository, file)))
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    cpSync(join(repository, file), join(root, file))
  }
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  return files
}

function checkTypes(outcome: Outcome, types: TypeCheck): Outcome {
  if (outcome.result !== 'survived') return outcome
  const { file, mutant } = outcome.site
  const objection = types.objectionTo(file, applyMutant(readFileSync(join(repository, file), 'utf8'), mutant))
  return objection === undefined ? outcome : { ...outcome, result: 'refused', by: objection }
}

function show({ site: { file, mutant }, result, tests }: Outcome, root: string): void {
  if (result === 'killed' || result === 'refused') return
  const source = readFileSync(join(root, file), 'utf8')
  const lines = (text: string, from: number, to: number) =>
    text.slice(text.lastIndexOf('\n', from - 1) + 1, (text.indexOf('\n', to) + 1 || text.length + 1) - 1)
  const changed = applyMutant(source, mutant)
  console.log(`${result}  ${file}:${mutant.line}  ${mutant.kind}  ${tests === 0 ? '(no test reaches it)' : `(${tests} tests)`}`)
  console.log(`  - ${lines(source, mutant.start, mutant.end).trim()}`)
  console.log(`  + ${lines(changed, mutant.start, mutant.end + changed.length - source.length).trim()}`)
}

function summarize(outcomes: readonly Outcome[], folders: readonly string[], about: string): void {
  const row = (name: string, chosen: readonly Outcome[]) => {
    const count = (result: Outcome['result']) => chosen.filter((outcome) => outcome.result === result).length
    const noticed = chosen.length - count('survived')
    const share = chosen.length === 0 ? '–' : `${((100 * noticed) / chosen.length).toFixed(1)} %`
    console.log(
      `${name.padEnd(14)} ${share.padStart(8)}  killed ${count('killed')}, timeout ${count('timeout')}, refused by the compiler ${count('refused')}, survived ${count('survived')}`,
    )
  }
  console.log(`\n${about}`)
  for (const folder of folders)
    row(
      folder,
      outcomes.filter(({ site }) => isIn(site.file, folder)),
    )
  row('all', outcomes)
}

await main()
