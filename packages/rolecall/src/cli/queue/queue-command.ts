import { createInterface } from 'node:readline/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import { Command } from 'commander'
import type { QueuedRun, QueueState } from '../../cluster/queue-state.ts'
import { exitHelp } from '../exit-codes.ts'
import { printReport } from '../screen/print-screen.ts'
import { colors, printable } from '../terminal.ts'
import { queueAddress } from './queue-address.ts'

type Options = { json: boolean; drain: boolean; clear?: string; yes: boolean }

export const queueCommand = new Command('queue')
  .description('show the runs, jobs and workers on a queue; drain workers, or remove a run')
  .argument('[address]', 'the Redis or Valkey server, e.g. redis://10.0.0.5:6379 (default: ROLECALL_QUEUE)')
  .option('--json', 'print it as JSON', false)
  .option('--drain', 'ask all workers to finish the rows in flight, give the others back and exit', false)
  .option('--clear <run>', 'remove a run from the queue: its jobs, and answers not yet written to its disk')
  .option('-y, --yes', 'with --drain or --clear: do not ask for confirmation', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall runs queue redis://10.0.0.5:6379          runs, workers, jobs, rates, failures, refusals
  rolecall runs queue --json | jq .workers           for programs
  rolecall runs queue --drain                        before the machines are switched off
  rolecall runs queue --clear mmlu-20261117_0501-3fa9c1

Whatever happens to the queue, a run's folder keeps what it has recorded.
${exitHelp({ refused: 'when the queue cannot be reached or has no such run' })}`,
  )
  .action(async (address: string | undefined, options: Options) => {
    const url = queueAddress(address, 'the address')
    if (options.drain && options.clear !== undefined) {
      throw new PromptError('two-actions', { where: '--drain, --clear', problem: 'these are two things', fix: 'do one after the other' })
    }
    const [{ readAddress }, { connect }] = await Promise.all([import('../../cluster/address.ts'), import('../../cluster/redis.ts')])
    const client = await connect(readAddress(url, 'the address'))
    try {
      const { queueState } = await import('../../cluster/queue-state.ts')
      const state = await queueState(client)
      if (options.drain) {
        await confirm(`${count(state.workers.length, 'worker')} on ${state.queue} will exit. Continue?`, options.yes, '--drain')
        const { drainWorkers } = await import('../../cluster/tidy-queue.ts')
        await drainWorkers(client)
        process.stdout.write(`${count(state.workers.length, 'worker')} asked to exit\n`)
      } else if (options.clear !== undefined) await clear(state, options.clear)
      else if (options.json) process.stdout.write(`${JSON.stringify(state, null, 2)}\n`)
      else printReport(showState(state))
    } finally {
      client.close()
    }

    async function clear(state: QueueState, name: string): Promise<void> {
      const run = state.runs.find((one) => one.run === name)
      if (!run) throw noSuchRun(state, name)
      if (run.isCoordinated) {
        throw new PromptError('run-in-use', { where: name, problem: `its coordinator is at it (${run.coordinator})`, fix: 'stop it first' })
      }
      const lost =
        run.answers > 0
          ? `, with ${count(run.answers, 'answer')} that are not on disk: \`rolecall run --queue … -r\` would record them`
          : ''
      await confirm(`${name} will be removed from ${state.queue}${lost}. Continue?`, options.yes, '--clear')
      const { clearRun } = await import('../../cluster/tidy-queue.ts')
      await clearRun(client, name)
      process.stdout.write(`${name} is removed from the queue; its folder is as it was\n`)
    }
  })

function noSuchRun({ queue, runs }: QueueState, name: string): PromptError {
  return new PromptError('no-such-run', {
    where: queue,
    problem: `there is no run "${name}" on it`,
    fix: runs.length === 0 ? 'there are none' : `name one of these: ${runs.map(({ run }) => run).join(', ')}`,
  })
}

async function confirm(question: string, isSure: boolean, flag: string): Promise<void> {
  if (isSure) return
  if (!process.stdin.isTTY) {
    throw new PromptError('not-confirmed', {
      where: flag,
      problem: `${question.replace(/ Continue\?$/, '')} This needs confirmation, and standard input is not a terminal`,
      fix: 'add --yes',
    })
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${question} [y/N] `)
  lines.close()
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new PromptError('not-confirmed', { where: flag, problem: 'it was not confirmed', fix: 'nothing was changed' })
}

function showState({ queue, runs, workers }: QueueState): string {
  const lines = [`${queue}: ${count(runs.length, 'run')}, ${count(workers.length, 'worker')}`]
  for (const run of runs) lines.push('', ...showRun(run))
  if (workers.length > 0) lines.push('', 'Workers')
  for (const { id, version, queues } of workers) {
    const takings = Object.values(queues)
    const sum = (of: (one: (typeof takings)[number]) => number) => takings.reduce((total, one) => total + of(one), 0)
    const failed = sum((one) => one.failed)
    lines.push(
      `  ${id}  ${version}  ${sum((one) => one.underWay)}/${sum((one) => one.slots)} under way  ${sum((one) => one.done)} rows  ${rate(sum((one) => one.rate))}${failed > 0 ? `  ${failed} failed` : ''}`,
    )
  }
  return `${lines.map(printable).join('\n')}\n`
}

function showRun({ run, started, isCoordinated, coordinator, answers, models }: QueuedRun): string[] {
  const who = isCoordinated ? `coordinated by ${coordinator}` : 'without a coordinator: `rolecall run --queue … -r` resumes it'
  return [
    `${run}  since ${started}  ${who}`,
    ...(answers > 0 ? [`  ${count(answers, 'answer')} on the way to its disk`] : []),
    ...models.flatMap((one) => [
      `  ${one.model}${one.format === undefined ? '' : ` as ${one.format}`}  ${one.waiting} jobs wait, ${one.active} are taken  ${count(one.workers, 'worker')}, ${one.slots} rows at once  ${rate(one.rowsPerSecond)}${one.failed > 0 ? `  ${one.failed} failed` : ''}`,
      ...one.refusals.map((text) => colors.yellow(`    refused: ${text}`)),
    ]),
  ]
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function rate(rows: number): string {
  return `${rows.toFixed(rows < 10 ? 1 : 0)} rows/s`
}
