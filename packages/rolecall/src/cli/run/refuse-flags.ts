import { PromptError, type PromptErrorDetails } from '@rolecall/core/internal/errors'
import type { RunFlags } from './run-flags.ts'

type Refusal = PromptErrorDetails & { code: 'missing' | 'contradiction'; applies: (flags: RunFlags) => boolean }

/** Flags that need another one, and flags that contradict each other. */
const refusals: readonly Refusal[] = [
  {
    code: 'missing',
    applies: ({ retryErrors, reuse }) => Boolean(retryErrors) && reuse === undefined,
    where: '--retry-errors',
    problem: 'a new run has no rows that failed before',
    fix: 'choose the run to resume: -r for the latest',
  },
  {
    code: 'missing',
    applies: ({ waitForWorkers, queue }) => waitForWorkers !== undefined && queue === undefined,
    where: '--wait-for-workers',
    problem: 'a run without --queue has no workers',
    fix: 'add --queue redis://HOST:PORT',
  },
  {
    code: 'missing',
    applies: ({ mode }) => mode === 'eval' || mode === 'viz',
    where: '--mode',
    problem: 'eval and viz read a finished run, and none is named',
    fix: 'name the run: -r for the latest of the config, or `rolecall score RUN`',
  },
  {
    code: 'contradiction',
    applies: ({ samples, limit }) => samples !== undefined && limit !== undefined,
    where: '--samples, --limit',
    problem: 'both say which documents are evaluated',
    fix: 'keep one of them',
  },
  {
    code: 'missing',
    applies: ({ seed, tasks }) => typeof seed === 'object' && tasks === undefined,
    where: '--seed',
    problem: 'four seeds need --tasks',
    fix: 'give one seed, or add --tasks NAME',
  },
  {
    code: 'missing',
    applies: ({ outputPath, tasks }) => outputPath !== undefined && tasks === undefined,
    where: '--output-path',
    problem: 'this flag needs --tasks',
    fix: 'add --tasks NAME',
  },
  {
    code: 'missing',
    applies: ({ logSamples, outputPath }) => Boolean(logSamples) && outputPath === undefined,
    where: '--log-samples',
    problem: 'this flag needs --output-path',
    fix: 'add --output-path FOLDER',
  },
]

/** Refuses flags of `rolecall run` that mean nothing together, before anything is read. */
export function refuseFlags(flags: RunFlags): void {
  for (const { code, applies, ...parts } of refusals) if (applies(flags)) throw new PromptError(code, parts)
}

/** Events and `--json` cannot share standard output: refused before the events are opened, which the other refusals are written to. */
export function refuseSharedOutput({ events, json }: RunFlags): void {
  if (events !== '-' || !json) return
  throw new PromptError('contradiction', {
    where: '--events -, --json',
    problem: 'both write to standard output',
    fix: 'write the events to a file: --events FILE',
  })
}
