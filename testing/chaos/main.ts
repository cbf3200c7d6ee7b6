import buildCli from '../build-cli.ts'
import { removeFolders } from '../folder-with.ts'
import { queueServers } from '../redis-server.ts'
import { killOnQueue } from './queue-kills.ts'

// `npm run chaos -- queue [--kills 50] [--seed 1] [--server valkey-server]`: kills whatever a queue is made of, and prints what came of it.
const given = process.argv.slice(2)
const flagged = (flag: string, usual: string) => (given.includes(flag) ? given[given.indexOf(flag) + 1]! : usual)
const [program] = given.includes('--server') ? [flagged('--server', '')] : queueServers
if (given[0] !== 'queue' || program === undefined) {
  process.stderr.write('npm run chaos -- queue [--kills 50] [--seed 1] [--server valkey-server]; redis-server or valkey-server is needed\n')
  process.exit(2)
}
await buildCli()
let state = Number(flagged('--seed', '1'))
/** Numerical Recipes' generator: the same seed kills in the same order. */
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
const report = await killOnQueue(Number(flagged('--kills', '50')), program, random, (text) => process.stderr.write(`${text}\n`))
removeFolders()
process.stdout.write(`${JSON.stringify({ server: program, ...report }, null, 2)}\n`)
process.exit(report.lost + report.twice + report.different > 0 || report.askedAgain > report.underWay ? 1 : 0)
