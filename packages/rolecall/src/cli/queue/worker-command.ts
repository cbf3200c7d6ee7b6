import { Command } from 'commander'
import type { WorkerEvent } from '../../cluster/work-for-runs.ts'
import { exitCodes, exitHelp, setExitCode } from '../exit-codes.ts'
import { duration, positiveInteger } from '../flag-values.ts'
import { colors, printable } from '../terminal.ts'
import { queueAddress } from './queue-address.ts'

type Options = { models?: string; concurrency?: number; folder?: string; grace: number; exitWhenIdle?: number | true; metrics?: string }

export const workerCommand = new Command('worker')
  .description('work for runs started with `rolecall run --queue`: take rows from the queue and send them to models')
  .argument('[address]', 'the Redis or Valkey server, e.g. redis://10.0.0.5:6379 (default: ROLECALL_QUEUE)')
  .option('--models <names>', 'only these models (comma-separated)')
  .option(
    '--concurrency <number>',
    'rows in flight per model, which its runs share in turns (default: as many per run as the model serves)',
    positiveInteger,
  )
  .option('--folder <path>', "base folder for relative paths in configs on this machine (default: the coordinator's)")
  .option('--grace <seconds>', 'how long rows in flight may take after SIGTERM before they are given back', duration, 25)
  .option('--exit-when-idle [time]', 'exit after this long without a run to work for, e.g. 10m (1m if no time is given)', duration)
  .option('--metrics <address>', 'serve metrics for Prometheus at /metrics of this port, or of HOST:PORT')
  .addHelpText(
    'after',
    `
Examples:
  rolecall runs worker redis://10.0.0.5:6379             on any machine, as many as you like
  ROLECALL_QUEUE=redis://:PASSWORD@10.0.0.5 rolecall runs worker  keeps the password out of process lists
  rolecall runs worker --models qwen --concurrency 64    only this model, 64 rows at once
  rolecall runs worker --exit-when-idle 10m              exits when runs are done, for Jobs and batch systems

A worker serves every run on the queue until it is stopped. API keys come from the
environment of this process. SIGTERM and Ctrl-C finish the rows in flight and give the others back; a second one gives those back, too.
${exitHelp({
  ok: 'when it was stopped or idle',
  failed: 'when it was idle and had refused a run',
  refused: 'when the queue cannot be reached',
})}`,
  )
  .action(async (address: string | undefined, options: Options) => {
    const url = queueAddress(address, 'the address')
    const { serveMetrics } = await import('../../node/metrics/serve-metrics.ts')
    const { WorkerMetrics } = await import('./worker-metrics.ts')
    const counted = new WorkerMetrics()
    const metrics = options.metrics === undefined ? undefined : await serveMetrics(options.metrics, () => counted.format())
    if (metrics) process.stderr.write(`metrics: ${metrics.url}\n`)
    const { workForRuns } = await import('../../cluster/work-for-runs.ts')
    const { Watchdog } = await import('../../node/watchdog/watchdog.ts')
    const watchdog = new Watchdog()
    const [stop, stopNow] = [new AbortController(), new AbortController()]
    const log = eventLogger()
    let timer: NodeJS.Timeout | undefined
    const ends = () => {
      if (stop.signal.aborted) stopNow.abort()
      stop.abort()
      timer ??= setTimeout(() => stopNow.abort(), Math.min(options.grace * 1000, longestTimer))
    }
    watchdog.hear(ends, ['SIGINT', 'SIGTERM', 'SIGHUP'])
    try {
      const refusals = await workForRuns(url, {
        models: options.models?.split(',').map((name) => name.trim()),
        concurrency: options.concurrency,
        folder: options.folder,
        stop: stop.signal,
        stopNow: stopNow.signal,
        compile: watchdog.compile,
        exitWhenIdle: options.exitWhenIdle === true ? usualIdle : options.exitWhenIdle,
        onEvent(event) {
          counted.show(event)
          log(event)
        },
      })
      if (options.exitWhenIdle !== undefined && refusals.length > 0 && !stop.signal.aborted)
        setExitCode({ exit_code: exitCodes.failed.code })
    } finally {
      clearTimeout(timer)
      metrics?.close()
      await watchdog.stop()
    }
  })

/** Seconds of `--exit-when-idle`: longer than a coordinator takes to start again. */
const usualIdle = 60

/** Longer timers fire immediately in Node. */
const longestTimer = 2 ** 31 - 1

/** Logs starts, ends and errors, and the progress every half minute. */
function eventLogger(): (event: WorkerEvent) => void {
  let [loggedAt, done] = [performance.now(), 0]
  const line = (text: string) => process.stderr.write(`${printable(text)}\n`)
  return (event) => {
    switch (event.kind) {
      case 'ready':
        return line(`worker ${event.id} on ${event.queue}: waiting for runs`)
      case 'begin':
        return line(`${event.run}: asking ${event.model}`)
      case 'end':
        return line(`${event.run}: ${event.isAgain ? 'its config has changed' : 'done'}`)
      case 'refuse':
        return void process.stderr.write(`${colors.red('refused')} ${printable(`${event.run}, ${event.model}: ${event.error.message}`)}\n`)
      case 'trouble':
        return void process.stderr.write(`${colors.yellow('note')} ${printable(event.problem)}\n`)
      case 'wait':
        return undefined
      case 'drained':
        return line('asked to exit (`rolecall runs queue --drain`)')
      case 'idle':
        return line(`no run to work for in ${event.seconds} s: leaving (--exit-when-idle)`)
      case 'status': {
        const queues = Object.values(event.status.queues)
        const now = queues.reduce((sum, one) => sum + one.done, 0)
        if (performance.now() - loggedAt < 30_000 || now === done) return undefined
        loggedAt = performance.now()
        done = now
        const rate = queues.reduce((sum, one) => sum + one.rate, 0)
        return line(`${now.toLocaleString('en')} rows, ${rate.toFixed(rate < 10 ? 1 : 0)} rows/s`)
      }
      default:
        return event satisfies never
    }
  }
}
