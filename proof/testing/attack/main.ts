import { parseArgs } from 'node:util'
import { buildCli } from '../build-cli.ts'
import { runAttack } from './attack.ts'
import { attacks } from './attacks.ts'

const help = `npm run attack -- [--seconds N] [--seed N] [--json] [attacks]

Attacks the library, the server and the command line as a hostile row, template, client, server and model would, and shows how
much was tried and what got through. What it tries is drawn by a seed, which is printed: the same seed tries the same again.

  --seconds N  for all attacks together (60)
  --seed N     by default another one each time
  --json       for programs
  attacks      only these: ${attacks.map(({ name }) => `"${name}"`).join(', ')}

The exit code is 1 where anything got through.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const seconds = Number(values.seconds ?? 60)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const unknown = positionals.filter((name) => !attacks.some((attack) => attack.name === name))
if (unknown.length > 0 || !(seconds > 0) || !Number.isInteger(seed)) {
  console.error(
    `${unknown.length > 0 ? `there is no attack ${unknown.map((name) => `"${name}"`).join(', ')}` : '--seconds and --seed are numbers'}\n\n${help}`,
  )
  process.exit(2)
}

// The kill attack needs the bundled command line.
await buildCli()

const chosen = positionals.length === 0 ? attacks : attacks.filter(({ name }) => positionals.includes(name))
let gotThrough = 0
const line = (cells: readonly string[]) =>
  console.log([cells[0]!.padEnd(16), cells[1]!.padStart(8), cells[2]!.padStart(9), cells[3]!.padStart(6), cells[4]!].join('  '))
if (!values.json) {
  console.log(`seed ${seed}`)
  line(['attack', 'tried', 'survived', 's', 'what holds'])
}
for (const attack of chosen) {
  const outcome = await runAttack(attack, seed, seconds / chosen.length)
  gotThrough += outcome.gotThrough.length
  if (values.json) console.log(JSON.stringify(outcome))
  else
    line([attack.name, String(outcome.tried), String(outcome.tried - outcome.gotThrough.length), outcome.seconds.toFixed(1), attack.holds])
  if (!values.json) for (const how of outcome.gotThrough) console.log(`  got through: ${how}`)
}
process.exit(gotThrough > 0 ? 1 : 0)
