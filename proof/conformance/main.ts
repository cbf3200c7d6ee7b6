import { writeCounts } from './counts.ts'
import { formatReport, hasFailures } from './report.ts'
import { runFolder } from './run-folder.ts'

const args = process.argv.slice(2)
const source = args.indexOf('--opencompass')
const [given] = source < 0 ? [] : args.splice(source, 2).slice(1)
if (given !== undefined) process.env.OPENCOMPASS_DIR = given
const flags = args.filter((arg) => arg.startsWith('--'))
const [folder] = args.filter((arg) => !arg.startsWith('--'))
const unknown = flags.find((flag) => !['--json', '--mangle', '--pin'].includes(flag))
if (folder === undefined || unknown !== undefined) {
  console.error(`${unknown === undefined ? '' : `unknown option ${unknown}\n`}usage: npm run conformance -- DIR [--json] [--mangle] [--pin] [--opencompass DIR]
DIR is laid out like shared/conformance or one of its subfolders. --mangle also distorts our results, and reports what the judge notices.
--opencompass: its source, whose classes are interpreted where none is written here (else OPENCOMPASS_DIR, or shared/opencompass).
--pin writes the counts to conformance/counts.json, from which npm run docs prints the table.
Fails if a vector does, if something is not supported that conformance/gaps.ts does not list, or if less than 99 % of distortions are noticed.`)
  process.exit(2)
}
const asJson = flags.includes('--json')
const report = await runFolder(folder, {
  mangle: flags.includes('--mangle'),
  onFailure({ id, why }) {
    if (!asJson) console.error(`FAILED ${id}\n  ${why.slice(0, 2000)}`)
  },
})
console.log(asJson ? JSON.stringify(report) : formatReport(report))
if (flags.includes('--pin')) writeCounts(report)
if (Object.keys(report.files).length === 0) console.error(`no vector file in ${folder} is of a kind that the runner knows`)
process.exitCode = hasFailures(report) || Object.keys(report.files).length === 0 ? 1 : 0
