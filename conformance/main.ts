import { formatReport, hasFailures } from './report.ts'
import { runFolder } from './run-folder.ts'

const args = process.argv.slice(2)
const asJson = args.includes('--json')
const folder = args.find((arg) => !arg.startsWith('--'))
if (folder === undefined) {
  console.error('usage: npm run conformance -- DIR [--json]\nDIR is laid out like shared/conformance or one of its subfolders.')
  process.exit(2)
}
const report = await runFolder(folder, ({ id, why }) => {
  if (!asJson) console.error(`FAILED ${id}\n  ${why.slice(0, 2000)}`)
})
console.log(asJson ? JSON.stringify({ files: report.files }) : formatReport(report))
if (Object.keys(report.files).length === 0) console.error(`no vector file in ${folder} is of a kind that the runner knows`)
process.exitCode = hasFailures(report) || Object.keys(report.files).length === 0 ? 1 : 0
