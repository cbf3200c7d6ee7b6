import { PromptError } from '@rolecall/core/internal/errors'
import { Command } from 'commander'
import { distinctModels, type ModelName, modelText } from '../../evaluation/run/record/pair-name.ts'
import { quoteWord } from '../../node/platform.ts'
import { RunReader } from '../../node/runs/run-reader.ts'
import { type CiCompareFlags, reportComparison, withCiCompareOptions } from '../ci/report-comparison.ts'
import { exitCodes, exitHelp, setExitCode } from '../exit-codes.ts'
import { wholeNumber } from '../flag-values.ts'
import { printJson } from '../print-json.ts'
import type { NextStep } from '../screen/blocks.ts'
import { ownCommand } from '../screen/own-command.ts'
import { printNext, printScreen } from '../screen/print-screen.ts'
import { colors, printable, printWarnings } from '../terminal.ts'
import type { CompareConfigFlags } from './compare-opencompass-command.ts'
import type { ShownComparison } from './show-comparison.ts'

export const compareCommand = withCiCompareOptions(new Command('compare'))
  .description('show which of two runs or models is better, row by row, and whether it may be chance')
  .argument('[first]', "a run's folder, a folder of runs (its latest is used), the config that was run, or results of another harness")
  .argument('[second]', 'the run to compare it with (default: the models of the first with each other)')
  .option(
    '--opencompass <config>',
    'instead of runs: compare the rows, prompts and scores of an OpenCompass config with those that OpenCompass itself makes of it (with --with-python)',
  )
  .option(
    '--with-python [path]',
    'with --opencompass: the Python that has OpenCompass and its packages; it executes the config and its classes with your rights',
  )
  .option('--datasets <names>', 'with --opencompass: only these datasets (names or patterns)')
  .option('--rows <number>', 'with --opencompass: how many rows of each dataset are prompted and scored', wholeNumber, 20)
  .option('--examples <number>', 'number of changed rows to show per kind', wholeNumber, 3)
  .option('-o, --out <file>', 'also write the comparison to this file, as JSON')
  .option('--json', 'print the comparison as JSON, with the indices of all changed rows', false)
  .option('--verbose', 'print all datasets with their counts, and changed rows with prompts', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall compare outputs/mmlu                        the models of a run
  rolecall compare outputs/mmlu/20261114_180000 outputs/mmlu/20261115_090000
  rolecall compare outputs/mmlu#small outputs/mmlu#large   two models of runs
  rolecall compare before after --examples 10
  rolecall compare before after --json | jq '.[].comparison.worse'
  rolecall compare before after --fail-on worse --junit compared.xml
  rolecall compare --opencompass eval_demo.py --with-python   ours against OpenCompass itself

Rows are paired by content, so a dataset may have gained rows or changed their order. Differences come with a
95 % interval over paired rows and a p value: McNemar's exact test for right and wrong, clustered where the dataset has
\`cluster\`. The p values of several datasets are adjusted for their number (Holm); --fail-on worse uses the adjusted ones.
The output says whether prompts, answers or only the scoring differ, and shows some of the rows.
${exitHelp({ refused: 'when the runs cannot be read', 'check-failed': 'when --fail-on applies, or a config differs from OpenCompass' })}`,
  )
  .action(async (first: string | undefined, second: string | undefined, options: Options) => {
    if (options.opencompass !== undefined || options.withPython !== undefined) {
      const { compareConfig } = await import('./compare-opencompass-command.ts')
      return await compareConfig(first, options)
    }
    const { examples, json, verbose, out, opencompass: _, withPython: __, datasets: ___, rows: ____, ...ci } = options
    if (first === undefined)
      throw new PromptError('missing', {
        where: `${ownCommand()} compare`,
        problem: 'it needs FIRST: a run, the config that was run, or results of another harness',
        fix: 'name it, and a second one; or an OpenCompass config: --opencompass CONFIG --with-python',
      })

    const { adjustmentText } = await import('../../evaluation/run/record/compare-models.ts')
    const { openRunOrResults } = await import('../../node/runs/foreign/open-run-or-results.ts')
    const { compareRuns, unmatchedPairs } = await import('../../node/runs/compare-run-folders.ts')
    const { differentRevisions } = await import('../../node/runs/different-revisions.ts')
    const opened = await openRunOrResults(first)
    const models = second === undefined ? modelsToCompare(opened, first) : []
    if (second === undefined && models.length > 2 && !json && out === undefined) return await showModels(opened, first)
    const runs =
      second === undefined
        ? ([withModel(opened, models[0]), withModel(opened, models[1])] as const)
        : ([opened, await openRunOrResults(second)] as const)
    const ofRuns = (second === undefined ? [opened] : runs).flatMap((run) => run.notes())
    if (json || verbose) printWarnings(ofRuns)
    const compared = compareRuns(...runs, examples)
    const { showComparison, showUnmatched, withPrompts } = await import('./show-comparison.ts')
    const { shown, notes } = await withPrompts(compared, runs)
    if (json || verbose) printWarnings(notes)
    if (verbose && !json) {
      const adjusted = adjustmentText(shown.flatMap(({ comparison }) => comparison.comparison ?? []))
      process.stdout.write(`${[...shown.map(showComparison), ...adjusted].join('\n\n')}\n`)
    } else if (!json) {
      const { compareScreen } = await import('./compare-screen.ts')
      printScreen(compareScreen(shown, { runs, named: [first, second ?? first] }, examples, [...ofRuns, ...notes]))
    }
    if (out !== undefined) {
      const { writeInto } = await import('../../node/runs/disk-error.ts')
      writeInto(out, `${JSON.stringify(shown, null, 2)}\n`, '--out')
    }
    const unmatched = unmatchedPairs(runs[0].pairs, runs[1].pairs)
    const rest = showUnmatched(unmatched)
    const output = json ? process.stderr : process.stdout
    printWarnings(
      differentRevisions(runs[0].info.hub, runs[1].info.hub).map((text) => ({ code: 'other-revision', text: `the runs used ${text}` })),
    )
    if (rest.length > 0) output.write(`\n${rest.join('\n')}\n`)
    const { comparisonMarkdown } = await import('./comparison-markdown.ts')
    const reported = reportComparison(
      compared.map(({ comparison }) => comparison),
      unmatched.first,
      ci,
      output,
      (results) => comparisonMarkdown(shown, { runs, named: [first, second ?? first] }, results),
    )
    const failed = reported.filter(({ failure }) => failure !== undefined)
    const failure =
      failed.length === 0
        ? undefined
        : {
            code: 'worse',
            where: `--fail-on ${ci.failOn}`,
            problem: failed.map(({ name, failure: why }) => `${name}: ${why}`).join('; '),
            exit_code: exitCodes['check-failed'].code,
          }
    if (json) printJson(shown, failure)
    else printNext(nextAfterCompare(shown, first, second))
    if (!failure) return
    setExitCode(failure)
    const lines = failed.map(({ name, failure }) => `${colors.red(`--fail-on ${ci.failOn}`)} ${printable(`${name}: ${failure}`)}`)
    process.stderr.write(`${lines.join('\n')}\n`)
  })

type Options = CiCompareFlags & CompareConfigFlags & { examples: number; verbose: boolean; out?: string }

/** The models of a run, which are compared with each other. */
function modelsToCompare(run: RunReader, name: string): ModelName[] {
  const models = distinctModels(run.pairs)
  if (models.length > 1) return models
  throw new PromptError('nothing-to-compare', {
    where: name,
    problem: `the run has one model (${models.map(modelText).join(', ')}), and there is no second run`,
    fix: `name the run to compare it with: ${ownCommand()} compare ${name} SECOND`,
  })
}

function withModel(run: RunReader, model: ModelName | undefined): RunReader {
  return new RunReader(run.folder, run.info, model === undefined ? {} : { model: modelText(model) })
}

/** More than two models: their figures, and each difference. */
async function showModels(run: RunReader, name: string): Promise<void> {
  const summary = run.summary()
  if (!summary)
    throw new PromptError('unfinished', {
      where: name,
      problem: 'the run has no summary: it is not finished',
      fix: `resume it: ${ownCommand()} run -r`,
    })
  printWarnings(run.notes())
  const { figuresScreen } = await import('../run/run-screen.ts')
  printScreen(figuresScreen(summary))
  printNext([{ command: `${ownCommand()} view ${quoteWord(name)}`, shows: 'the rows on which they differ' }])
}

function nextAfterCompare(shown: readonly ShownComparison[], first: string, second: string | undefined): NextStep[] {
  const differs = shown.some(({ comparison }) => comparison.differs.from !== 'nothing')
  if (!differs) return []
  const names = [first, ...(second === undefined ? [] : [second])].map((name) => quoteWord(name)).join(' ')
  return [{ command: `${ownCommand()} why ${names}`, shows: 'cause by cause' }]
}
