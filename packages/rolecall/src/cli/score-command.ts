import { relative } from 'node:path'
import { Command } from 'commander'
import type { OtherScoring } from '../node/runs/scored-config.ts'
import { judgeFailedRows } from './ci/failed-rows.ts'
import { type CiFlags, checkBlocks, failedChecks, reportRun, withCiOptions } from './ci/report-run.ts'
import { exitCodes, exitHelp, setExitCode } from './exit-codes.ts'
import { namedEntry } from './flag-values.ts'
import { printJson } from './print-json.ts'
import { printWarnings } from './terminal.ts'
import { warnConfig } from './warn-config.ts'

export const scoreCommand = withCiOptions(new Command('score'))
  .description('score a run again without running any model')
  .argument('<run>', "a run's folder, a folder of runs (its latest is used), the config that was run, or results of another harness")
  .option('--config <file>', "a config with changed evaluators or postprocessors (default: the run's config)")
  .option(
    '--evaluator <name>',
    'score with this evaluator; with options as JSON: \'{"type": "MATHEvaluator", "version": "v2"}\'',
    namedEntry,
  )
  .option('--postprocessor <name>', 'read answers with this postprocessor; with options as JSON', namedEntry)
  .option('--json', 'print the summary as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall score outputs/mmlu                     the latest run in the folder, with its config
  rolecall score outputs/mmlu --config mmlu.yaml  with another eval_cfg; prompts must be the same
  rolecall score results/ --evaluator AccEvaluator --postprocessor last_number  rows of lm-eval, Inspect, OpenCompass, …

Results and summary are overwritten; the previous config is kept as configs/config-1.json. Results of other harnesses stay as they
are: a copy is scored.
${exitHelp({
  failed: 'when rows were not sent yet',
  refused: 'when the run cannot be scored',
  'check-failed': 'when a metric is worse than --fail-under allows',
  'rows-failed': 'when more rows failed than --allow-failed',
})}`,
  )
  .action(
    async (
      name: string,
      { config, json, evaluator, postprocessor, ...ci }: CiFlags & OtherScoring & { config?: string; json: boolean },
    ) => {
      const { openRunOrResults } = await import('../node/runs/foreign/open-run-or-results.ts')
      const { scoreRun } = await import('../node/runs/score-run.ts')
      const given = config === undefined ? undefined : await (await import('../node/config/load-config.ts')).loadConfig(config)
      if (given) warnConfig(given)
      const opened = await openRunOrResults(name)
      printWarnings(opened.notes())
      const { folder, summary, missing } = await scoreRun(opened.folder, given, { evaluator, postprocessor })
      const known = summary.results.flatMap(({ dataset, metric, unit, beside = [] }) => [
        { dataset, metric, unit },
        ...beside.map((figure) => ({ dataset, ...figure })),
      ])
      const groups = (summary.groups ?? []).map(({ group }) => group)
      if (ci.failUnder) (await import('../evaluation/run/record/metric-checks.ts')).refuseUnknownChecks(ci.failUnder, known, groups)
      const checked = reportRun(summary, ci, json ? process.stderr : process.stdout)
      const unsent = missing.map(
        ({ model, dataset, rows }) => `${rows.length} rows were not sent yet (${model} · ${dataset}); continue with -r`,
      )
      const { failure: failedRows, within } = judgeFailedRows(summary, ci.allowFailed)
      const failure =
        failedChecks(checked) ??
        (unsent.length > 0 ? { code: 'unfinished', problem: unsent.join('; '), exit_code: exitCodes.failed.code } : undefined) ??
        failedRows
      const notes = [...unsent, ...(within === undefined ? [] : [within])]
      if (json) return printJson(checked.length > 0 ? { ...summary, checks: checked } : summary, failure)
      setExitCode(failure)
      const { runScreen } = await import('./run/run-screen.ts')
      const { printScreen } = await import('./screen/print-screen.ts')
      const shown = relative(process.cwd(), folder) || folder
      const remarks = notes.map((text) => ({ text, rank: 0 }))
      printScreen(runScreen(summary, { folder: shown, remarks, done: 'scored again, no model asked', checks: checkBlocks(checked) }))
    },
  )
