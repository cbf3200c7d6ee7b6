import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reachedText } from '../../evaluation/run/limits-text.ts'
import { totalsText } from '../../evaluation/run/record/cost.ts'
import type { CheckedMetric } from '../../evaluation/run/record/metric-checks.ts'
import { packageFile } from '../../node/own-files.ts'
import type { EvaluationRun } from '../../node/runs/evaluation-options.ts'
import { type AllowedFailures, judgeFailedRows } from '../ci/failed-rows.ts'
import { checkLines, failedChecks } from '../ci/report-run.ts'
import { exitCodes } from '../exit-codes.ts'
import { type JsonFailure, printJson } from '../print-json.ts'
import { colors, printable } from '../terminal.ts'
import type { RunFlags } from './run-flags.ts'

/** The config used without a config. */
export const quickstart = fileURLToPath(packageFile('quickstart/rolecall.config.yaml'))

/** Prints the results of a run. */
export async function printRun(
  done: EvaluationRun,
  options: RunFlags,
  isQuickstart: boolean,
  checked: readonly CheckedMetric[],
): Promise<void> {
  const { summary, folder, unfinished } = done
  const shown = relative(process.cwd(), folder) || folder
  const notes = [...notesOn(done, shown, options.reuse !== undefined), ...allowedNote(summary, options.allowFailed)].map(
    (text) => `${colors.yellow('note')} ${printable(text)}`,
  )
  if (options.json || options.events === '-') for (const note of notes) process.stderr.write(`${note}\n`)
  if (options.events === '-') return
  if (options.json)
    return printJson(checked.length > 0 ? { ...summary, checks: checked } : summary, runFailure(done, checked, options.allowFailed))
  const { showSummary } = await import('./show-summary.ts')
  const parts = [
    ...showSummary(summary, { withSpread: options.formats !== undefined }),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    ...(checked.length > 0 ? [checkLines(checked).join('\n')] : []),
    ...(unfinished > 0 ? [] : [closing(summary, shown, isQuickstart)]),
  ]
  if (parts.length > 0) process.stdout.write(`${parts.join('\n\n')}\n`)
}

/** Why a run does not end with exit code 0. */
export function runFailure(
  { summary, unfinished, reached }: EvaluationRun,
  checked: readonly CheckedMetric[],
  allowed: AllowedFailures | undefined,
): JsonFailure | undefined {
  if (reached)
    return {
      code: 'limit-reached',
      problem: reachedText(reached),
      fix: 'resume with `rolecall run -r` and a higher limit',
      exit_code: exitCodes['limit-reached'].code,
    }
  if (unfinished > 0)
    return {
      code: 'stopped',
      problem: `${unfinished} ${unfinished === 1 ? 'pair is' : 'pairs are'} not done`,
      fix: 'resume with `rolecall run -r`',
      exit_code: exitCodes.stopped.code,
    }
  const empty = emptyPairs(summary)
  return (
    failedChecks(checked) ??
    judgeFailedRows(summary, allowed).failure ??
    (empty.length > 0 ? { code: 'no-rows', problem: `no rows: ${empty.join(', ')}`, exit_code: exitCodes.failed.code } : undefined)
  )
}

function allowedNote(summary: EvaluationRun['summary'], allowed: AllowedFailures | undefined): string[] {
  const { within } = judgeFailedRows(summary, allowed)
  return within === undefined ? [] : [within]
}

function notesOn({ summary, unfinished, rerunRows, kept, remarks }: EvaluationRun, folder: string, isResumed: boolean): string[] {
  const empty = emptyPairs(summary)
  const rows = summary.results.reduce((sum, result) => sum + result.rows, 0)
  return [
    ...remarks,
    ...(empty.length > 0 ? [`skipped, no rows: ${empty.join(', ')}`] : []),
    // The rows of unfinished pairs are not all counted.
    ...(isResumed && rows + kept > 0 ? [`kept ${kept}${unfinished > 0 ? '' : ` of ${rows}`} rows of ${folder}`] : []),
    ...(rerunRows > 0 ? [`${rerunRows} rows had been run with another prompt, model or setting and were run again`] : []),
  ]
}

function closing({ seconds, results, totals }: EvaluationRun['summary'], folder: string, isQuickstart: boolean): string {
  const rows = results.reduce((sum, result) => sum + result.rows, 0)
  const spent = totals ? `${totalsText(totals)}\n` : ''
  const done = colors.dim(`${spent}${rows} ${rows === 1 ? 'row' : 'rows'} in ${seconds.toFixed(1)} s. Results: ${folder}`)
  if (!isQuickstart) return done
  // With npx, as for everything that newcomers read: `rolecall` is on the path only if it is installed globally.
  const hints = [
    [`npx rolecall render ${relative(process.cwd(), quickstart)} --datasets sums`, 'see the prompts that were sent'],
    ['npx rolecall init', 'write a config of your own'],
    ['npx rolecall run --help', 'all options'],
  ] as const
  const width = Math.max(...hints.map(([command]) => command.length))
  const next = hints.map(([command, what]) => `  ${command.padEnd(width)}   ${what}`).join('\n')
  return `${done}\n\nThe same model and the same questions: only the format differs. Next:\n${next}`
}

/** Pairs without rows, e.g. because of a truncated file; a shard may be empty. */
export function emptyPairs({ results, shard }: EvaluationRun['summary']): string[] {
  return results.flatMap(({ model, dataset, rows }) => (rows === 0 && shard === undefined ? [`${model} on ${dataset}`] : []))
}
