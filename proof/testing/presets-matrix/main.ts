import { parseArgs } from 'node:util'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { columns, type MatrixCell, presetsMatrix } from './presets-matrix.ts'

const help = `npm run proof -- presets-matrix [--data FOLDER] [--limit N] [--json] [presets]

Asks every preset by generation, over HTTP, of a server that gives right answers, wrong ones and eighteen messy wordings, and
shows what becomes of each: 100 and 0 are scores in per cent, "-" stands for answers that were counted as not read. Files are
made in each of the published layouts; HumanEval's programs run in the Python sandbox.

  --data FOLDER  real files instead: FOLDER/mmlu, FOLDER/gsm8k …, each as it was downloaded; presets without a folder are left out
  --limit N      how many rows of each dataset (20)
  --json         for programs
  presets        only these

The exit code is 1 where anything is not as it should be, 2 where files are missing.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

const shown = (cell: MatrixCell | undefined) => {
  if (!cell) return ''
  const { comesTo, value, unread, rows, isAsExpected } = cell
  if (isAsExpected) return comesTo === 'not read' ? '-' : String(value)
  return `!${value === undefined ? '' : Math.round(value)}${unread > 0 ? ` (${unread} of ${rows} not read)` : ''}`
}

let wrong = 0
let datasets = 0
const widths = columns.map(({ name }) => Math.max(name.length, 3))
if (!values.json) console.log(['dataset'.padEnd(28), ...columns.map(({ name }, index) => name.padEnd(widths[index]!))].join('  '))
let before = ''
try {
  for await (const row of presetsMatrix({
    ...(positionals.length > 0 ? { presets: positionals } : {}),
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.limit === undefined ? {} : { limit: Number(values.limit) }),
  })) {
    datasets++
    wrong += row.cells.filter((cell) => cell && !cell.isAsExpected).length
    if (values.json) {
      console.log(JSON.stringify(row))
      continue
    }
    const place = `${row.preset}: ${row.layout}`
    if (place !== before) console.log(place)
    before = place
    console.log([`  ${row.dataset}`.padEnd(28), ...row.cells.map((cell, index) => shown(cell).padEnd(widths[index]!))].join('  ').trimEnd())
  }
} catch (error) {
  // A folder without the files of its preset is the user's mistake, and needs no stack trace.
  if (!(error instanceof PromptError)) throw error
  console.error(error.message)
  process.exit(2)
}
if (!values.json)
  console.log(`\n${datasets} datasets; ${wrong === 0 ? 'all as it should be' : `${wrong} cells are not as they should be (marked by "!")`}`)
if (datasets === 0)
  console.error(values.data === undefined ? 'there is no such preset' : `${values.data} has no folder with the name of a preset`)
process.exitCode = wrong > 0 || datasets === 0 ? 1 : 0
