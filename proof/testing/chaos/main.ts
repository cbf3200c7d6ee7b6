import { parseArgs } from 'node:util'
import { buildCli } from '../build-cli.ts'
import { removeFolders } from '../folder-with.ts'
import { queueServers } from '../redis-server.ts'
import { faults } from './faults/faults.ts'
import { openStage } from './faults/stage.ts'
import { everybody, killOnQueue } from './queue-kills.ts'

const help = `npm run proof -- chaos queue [--kills 50] [--victims worker,coordinator,redis] [--seed 1] [--server valkey-server]
npm run proof -- chaos faults [--stop 60] [--partition 5] [--server valkey-server] [names]

queue   kills workers, coordinators and Redis at random moments of runs, each so many times, and compares what was recorded with a
        run without a queue
faults  ${faults.map(({ name }) => name).join(', ')}

redis-server or valkey-server is needed, and bullmq and ioredis (scripts/install-peers.sh, ROLECALL_PEERS).
The exit code is 1 where something was lost, recorded twice, asked again without need, or not said.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    victims: { type: 'string', default: everybody.join() },
    stop: { type: 'string', default: '60' },
    partition: { type: 'string', default: '5' },
    server: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const [what, ...names] = positionals
const program = values.server ?? queueServers[0]
const unknown = names.filter((name) => !faults.some((fault) => fault.name === name))
if (values.help || (what !== 'queue' && what !== 'faults') || program === undefined || unknown.length > 0) {
  process.stderr.write(`${unknown.length > 0 ? `there is no fault ${unknown.join(', ')}\n` : ''}${help}\n`)
  process.exit(values.help ? 0 : 2)
}
await buildCli()
const isFine = what === 'queue' ? await kills(program) : await allFaults(program)
removeFolders()
process.exit(isFine ? 0 : 1)

async function kills(server: string): Promise<boolean> {
  let state = Number(values.seed)
  /** Numerical Recipes' generator: the same seed kills in the same order. */
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const report = await killOnQueue({
    each: Number(values.kills),
    victims: everybody.filter((one) => values.victims.split(',').includes(one)),
    program: server,
    random,
    tell: (text) => process.stderr.write(`${text}\n`),
  })
  process.stdout.write(`${JSON.stringify({ server, ...report }, null, 2)}\n`)
  return report.lost + report.twice + report.different === 0 && report.askedAgain <= report.underWay
}

async function allFaults(server: string): Promise<boolean> {
  const stage = await openStage(server)
  let isFine = true
  for (const { name, holds, lacks, attempt } of faults) {
    if (names.length > 0 && !names.includes(name)) continue
    const lacking = lacks?.()
    if (lacking !== undefined) {
      process.stdout.write(`${name}: left out, it needs ${lacking}\n`)
      continue
    }
    const begun = performance.now()
    const outcome = await attempt(stage, { stop: Number(values.stop), partition: Number(values.partition) }).catch((error: Error) => {
      isFine = false
      return `BROKEN: ${error.message}`
    })
    await stage.clear()
    process.stdout.write(`${name} (${((performance.now() - begun) / 1000).toFixed(0)} s): ${holds}\n  ${outcome}\n`)
  }
  await stage.close()
  return isFine
}
