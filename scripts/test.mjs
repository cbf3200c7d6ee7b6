// `npm test`: lint and types in one process after the other, the tests beside them. TypeScript works on one core, so that side by
// side they take a minute less than one after the other. Arguments are vitest's: `npm test -- --reporter=verbose src/base/text`.
import { spawn } from 'node:child_process'

const bin = (name) => `node_modules/.bin/${name}`
const typeChecks = ['.', 'tsconfig.core.json', 'viewer'].map((project) => {
  const remembered = `node_modules/.cache/tsc/${project.replaceAll(/\W/g, '-')}.tsbuildinfo`
  return { name: `types of ${project}`, command: [bin('tsc'), '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', remembered] }
})

const [checks, tests] = await Promise.all([
  inOrder([{ name: 'lint', command: [bin('biome'), 'check', '.'] }, ...typeChecks]),
  run({ name: 'tests', command: [bin('vitest'), 'run', ...process.argv.slice(2)] }, 'inherit'),
])
// Behind the tests, where they are seen.
for (const { output } of checks.filter(({ code }) => code !== 0)) process.stdout.write(`\n${output}`)
const results = [...checks, tests]
console.log(`\n${results.map(({ name, code, seconds }) => `${name} ${code === 0 ? 'ok' : 'FAILED'} ${seconds} s`).join(' · ')}`)
process.exitCode = results.find(({ code }) => code !== 0)?.code ?? 0

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
    // A signal is no success.
    child.on('close', (code) => end(code ?? 1))
  })
}
