import { relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { Argument, Command } from 'commander'
import { limitsText } from '../evaluation/run/limits-text.ts'
import { costText } from '../evaluation/run/record/cost.ts'
import { modelText } from '../evaluation/run/record/pair-name.ts'
import type { ControlRequest, ControlStatus } from '../node/runs/control/control-messages.ts'
import { exitHelp } from './exit-codes.ts'
import { orNone, positiveDuration, positiveInteger, positiveNumber } from './flag-values.ts'
import { printJson } from './print-json.ts'
import { clock } from './run/progress.ts'
import { printReport } from './screen/print-screen.ts'
import { colors, printable } from './terminal.ts'

/** Runs are this many levels below a folder that is given: `outputs/<name>/<time>`. A run far below is hardly the one that is meant. */
const deepest = 2

type Limits = Partial<Record<'maxCost' | 'maxTokensTotal' | 'maxTime', number | 'none'>>

const actions = ['status', 'pause', 'resume', 'limits', 'retry-errors', 'stop'] as const

export const ctlCommand = new Command('ctl')
  .description('control a run in progress: show its status, pause and resume it, change its limits, retry failed rows, or stop it')
  .argument('<run>', "a run's folder, a folder of runs (the latest at most two levels below it is used), or the config that is being run")
  .addArgument(
    new Argument('[action]', 'status (the default), pause, resume, limits, retry-errors or stop').choices(actions).default('status'),
  )
  .option('--max-cost <amount>', 'with limits: as for `rolecall run`, or none', orNone(positiveNumber))
  .option('--max-tokens-total <number>', 'with limits: as for `rolecall run`, or none', orNone(positiveInteger))
  .option('--max-time <time>', 'with limits: as for `rolecall run`, since its start, or none', orNone(positiveDuration))
  .option('--json', 'print the status as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall runs ctl eval.yaml                          rows done, rows per second, cost so far, limits
  rolecall runs ctl outputs/eval pause                 send no more rows; those in flight finish
  rolecall runs ctl outputs/eval resume
  rolecall runs ctl outputs/eval limits --max-cost 10  the other limits stay
  rolecall runs ctl outputs/eval retry-errors          rows that failed are sent again when the others are done
  rolecall runs ctl outputs/eval stop                  like Ctrl-C; \`rolecall run -r\` resumes the run

Only the user who started the run can control it, on the same machine.
${exitHelp({ refused: 'when the run is not in progress or refuses' })}`,
  )
  .action(async (name: string, action: (typeof actions)[number], { json, ...limits }: Limits & { json: boolean }) => {
    const request = requestOf(action, limits)
    const { runAt } = await import('../node/runs/find-run.ts')
    const { askRun } = await import('../node/runs/control/ask-run.ts')
    const status = await askRun(runAt(name, '', deepest), request)
    if (json) printJson(status)
    else printReport(showStatus(status).join('\n'))
  })

function requestOf(action: (typeof actions)[number], limits: Limits): ControlRequest {
  const given = Object.entries(limits).map(([name, value]) => [name, value === 'none' ? null : value])
  if (action !== 'limits') {
    if (given.length === 0) return { action }
    throw new PromptError('contradiction', {
      where: action,
      problem: 'limits are given, which this action does not change',
      fix: 'change them with: rolecall runs ctl RUN limits …',
    })
  }
  if (given.length > 0) return { action, limits: Object.fromEntries(given) }
  throw new PromptError('missing', { where: action, problem: 'no limit is given', fix: 'add --max-cost, --max-tokens-total or --max-time' })
}

function showStatus({ folder, state, rows, retries, rowsPerSecond, pairs, spent, limits }: ControlStatus): string[] {
  const number = (count: number) => count.toLocaleString('en')
  const of = ({ done, total }: { done: number; total?: number | undefined }) =>
    `${number(done)}/${total === undefined ? '?' : number(total)}`
  const rate = `${rowsPerSecond.toFixed(rowsPerSecond < 10 ? 1 : 0)} rows/s`
  const cost = [...(spent.cost ? [spent.cost] : []), ...(spent.costs ?? [])].map(costText)
  const unpriced = (spent.unpriced ?? []).map((name) => `(cost of ${printable(name)} unknown)`)
  return [
    `${printable(relative(process.cwd(), folder) || folder)}: ${state === 'running' ? colors.green(state) : colors.yellow(state)}`,
    ...pairs.map((pair) => `  ${printable(`${modelText(pair)} · ${pair.dataset}`)}  ${of(pair)}`),
    `rows    ${[of(rows), rate, ...(rows.failed > 0 ? [`${number(rows.failed)} failed`] : []), ...(retries ? ['failed rows are sent again'] : [])].join('  ')}`,
    `spent   ${[...cost, ...unpriced, `${number(spent.tokens)} tokens`, clock(spent.seconds)].join('  ')}`,
    `limits  ${limitsText(limits)}`,
  ]
}
