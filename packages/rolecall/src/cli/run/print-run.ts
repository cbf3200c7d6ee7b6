import { dirname, relative } from 'node:path'
import { reachedText } from '../../evaluation/run/limits-text.ts'
import { totalsText } from '../../evaluation/run/record/cost.ts'
import type { CheckedMetric } from '../../evaluation/run/record/metric-checks.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import type { EvaluationRun } from '../../node/runs/evaluation-options.ts'
import { type AllowedFailures, judgeFailedRows } from '../ci/failed-rows.ts'
import { checkBlocks, failedChecks } from '../ci/report-run.ts'
import { exitCodes } from '../exit-codes.ts'
import { type JsonFailure, printJson } from '../print-json.ts'
import { errorText } from '../report-error.ts'
import { countText } from '../screen/amounts.ts'
import { ownCommand } from '../screen/own-command.ts'
import { colors, printable } from '../terminal.ts'
import { emptyErrors, emptyPairs, emptyText } from './empty-datasets.ts'
import type { RunFlags } from './run-flags.ts'
import type { RunNote } from './run-notes.ts'

/** Prints the results of a run: what one screen holds, or everything with --verbose. */
export async function printRun(
  done: EvaluationRun,
  loaded: LoadedConfig,
  options: RunFlags,
  isQuickstart: boolean,
  checked: readonly CheckedMetric[],
): Promise<void> {
  const { summary, folder, unfinished, kept } = done
  const shown = relative(process.cwd(), folder) || folder
  const remarks = [...notesOn(done, loaded), ...allowedNote(summary, options.allowFailed)]
  const toStderr = () => {
    for (const { text } of remarks) process.stderr.write(`${colors.yellow('note')} ${printable(text)}\n`)
  }
  if (options.json || options.events === '-') toStderr()
  if (options.events === '-') return
  if (options.json)
    return printJson(checked.length > 0 ? { ...summary, checks: checked } : summary, runFailure(done, loaded, checked, options.allowFailed))
  if (options.verbose || unfinished > 0) toStderr()
  if (options.verbose) {
    const { showSummary } = await import('./show-summary.ts')
    process.stdout.write(
      `${[...showSummary(summary, { withSpread: options.formats !== undefined }), ...spending(summary)].join('\n\n')}\n\n`,
    )
  }
  // An unfinished run has no figures yet; what it has is printed with --verbose.
  if (unfinished > 0) return
  const empty = emptyPairs(summary)
  if (empty.length > 0 && empty.length === summary.results.length) {
    process.stderr.write(`${emptyErrors(empty, loaded).map(errorText).join('\n')}\n`)
    return
  }
  const { folderOfRuns, nextAfterRun, runScreen } = await import('./run-screen.ts')
  const { printNext, printScreen } = await import('../screen/print-screen.ts')
  const words = isQuickstart ? await import('./quickstart-words.ts') : undefined
  printScreen(
    runScreen(summary, {
      folder: shown,
      remarks,
      ...(options.reuse === undefined ? {} : { kept }),
      ...(words ? { intro: words.quickstartIntro(summary), cutText: words.quickstartCut, areNotesExpected: true } : {}),
      spread: options.formats !== undefined,
      checks: checkBlocks(checked),
    }),
  )
  const command = ownCommand()
  const rows = summary.results.reduce((sum, result) => sum + result.rows, 0)
  const isScorable =
    !words && summary.results.some(({ kind, value = 100, rows: count }) => kind === 'verdict' && value < 100 && count >= 20)
  if (isScorable) printNext(await (await import('../doctor/score-doctor.ts')).scoringHint(folder, folderOfRuns(shown), rows))
  printNext(words ? words.nextAfterQuickstart(command, dirname(shown)) : nextAfterRun(summary, shown, command))
}

/** What the run spent, in all detail. */
function spending({ totals }: EvaluationRun['summary']): string[] {
  return totals ? [colors.dim(totalsText(totals))] : []
}

/** Why a run does not end with exit code 0. */
export function runFailure(
  { summary, unfinished, reached }: EvaluationRun,
  loaded: LoadedConfig,
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
    (empty.length > 0 ? { code: 'no-rows', problem: emptyText(empty, loaded), exit_code: exitCodes.failed.code } : undefined)
  )
}

function allowedNote(summary: EvaluationRun['summary'], allowed: AllowedFailures | undefined): RunNote[] {
  const { within } = judgeFailedRows(summary, allowed)
  return within === undefined ? [] : [{ text: within, rank: 0 }]
}

function notesOn({ summary, rerunRows, changed, remarks }: EvaluationRun, loaded: LoadedConfig): RunNote[] {
  const empty = emptyPairs(summary)
  return [
    ...remarks.map((text) => ({ text, rank: 6 })),
    ...(empty.length > 0 ? [{ text: emptyText(empty, loaded), rank: 0 }] : []),
    ...(rerunRows > 0
      ? [
          {
            text: `${countText(rerunRows, 'row')} had been run with ${rerunCause(changed)} and ${rerunRows === 1 ? 'was' : 'were'} run again`,
            rank: 1,
          },
        ]
      : []),
  ]
}

/** At most this many settings are named; all of them were before anything was sent. */
const mostChanges = 2

function rerunCause(changed: readonly string[]): string {
  if (changed.length === 0) return 'another prompt, model or setting'
  const more = changed.length - mostChanges
  return `other settings (${changed.slice(0, mostChanges).join(', ')}${more > 0 ? ` and ${more} more` : ''})`
}
