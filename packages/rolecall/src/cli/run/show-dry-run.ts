import { relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { Budget } from '../../evaluation/run/budget.ts'
import { checkLimits } from '../../evaluation/run/check-limits.ts'
import type { Pair } from '../../evaluation/run/plan-run.ts'
import { preparePairs } from '../../evaluation/run/prepare-pair.ts'
import { runnableType } from '../../model/model-types/index.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { quickstart } from '../../node/config/quickstart.ts'
import { quoteWord } from '../../node/platform.ts'
import { earlierAnswers } from '../../node/runs/earlier-answers.ts'
import { resumed } from '../../node/runs/evaluate/resumed-run.ts'
import { type EvaluationOptions, limitsOf } from '../../node/runs/evaluation-options.ts'
import { keptRows } from '../../node/runs/kept-rows.ts'
import { checkReferee, nodeEnvironment } from '../../node/runs/node-environment.ts'
import { plannedPairs } from '../../node/runs/planned-pairs.ts'
import { countSpentBefore } from '../../node/runs/spent-before.ts'
import { exitCodes, setExitCode } from '../exit-codes.ts'
import { type JsonFailure, printJson } from '../print-json.ts'
import { readinessBlocks, type ShownReadiness, shownReadiness } from '../readiness-lines.ts'
import { ownCommand } from '../screen/own-command.ts'
import { printNext, printScreen } from '../screen/print-screen.ts'
import { noteText, printWarnings } from '../terminal.ts'
import { dryRun, dryRunTable, settingsBlocks } from './dry-run.ts'
import { emptyText } from './empty-datasets.ts'
import { estimateBlocks, estimatesOf } from './estimate-cost.ts'
import { limitNotes } from './limit-notes.ts'
import { Progress } from './progress.ts'

/** `run --dry-run`: what would be sent, and how; with `-r`, without the rows already answered. Returns why the exit code is not 0. */
export async function showDryRun(
  loaded: LoadedConfig,
  given: EvaluationOptions,
  { isJson, output }: { isJson: boolean; output: NodeJS.WritableStream },
): Promise<JsonFailure | undefined> {
  const { options, reused: folder, shard, parents, known: info } = resumed(loaded, given)
  const pairs = plannedPairs(loaded, options)
  checkLimits(limitsOf(options), pairs)
  const environment = nodeEnvironment(loaded.folder)
  const { columns, notes } = await preparePairs(pairs, environment, checkReferee)
  printWarnings(notes)
  const { limit, retryErrors = false, retryCut } = options
  const chosen = { ...(limit === undefined ? {} : { limit }), ...(shard === undefined ? {} : { shard }) }
  if (folder !== undefined) printNote(`would resume ${relative(process.cwd(), folder) || folder}`)
  else if (given.reuse !== undefined) printNote('there is no earlier run to resume: all rows would be run')
  const kept = folder === undefined ? undefined : await keptRows(folder, pairs, environment, { ...chosen, retryErrors })
  const progress = new Progress(process.stderr)
  const planned = await dryRun(
    pairs,
    environment,
    loaded.folder,
    { ...chosen, kept, ...(retryCut === undefined ? {} : { retryCut }) },
    (event) => progress.show(event),
    columns,
  )
  const earlier = earlierAnswers(
    folder === undefined ? parents : [folder, ...parents],
    pairs.map(({ name }) => name),
  )
  const plans = planned.map((plan, index) => ({
    ...plan,
    estimates: estimatesOf(plan, pairs[index]!, earlier[index]),
    ...readinessOf(pairs[index]!),
  }))
  progress.clear()
  const limits = limitsOf(options)
  const budget = new Budget(limits, () => performance.now())
  if (folder !== undefined && info) countSpentBefore(budget, { path: folder, info }, pairs)
  const expected = plans.map(({ estimates }, index) => ({ estimates, server: environment.serverOf?.(pairs[index]!.model) }))
  for (const note of limitNotes(limits, expected, budget.spent)) printNote(note)
  const empty = plans.filter(({ rows, kept = 0 }) => rows + kept === 0)
  // A shard may be empty.
  const nothing = empty.length > 0 && shard === undefined ? emptyText(empty, loaded) : undefined
  if (nothing !== undefined) printNote(nothing)
  const failure = nothing === undefined ? undefined : { code: 'no-rows', problem: nothing, exit_code: exitCodes.failed.code }
  setExitCode(failure)
  if (isJson) {
    printJson(plans, failure)
    return failure
  }
  printScreen([dryRunTable(plans), ...estimateBlocks(plans), ...settingsBlocks(plans), ...readinessBlocks(plans)], output)
  if (failure === undefined && plans.every(({ word }) => word !== 'cannot run')) {
    const words = ['run', ...(loaded.file === '' || loaded.file === quickstart ? [] : [quoteWord(relative(process.cwd(), loaded.file))])]
    printNext([{ command: [ownCommand(), ...words, '--limit 20'].join(' '), shows: 'a first look at the answers' }])
  }
  return failure
}

/** A model that cannot run still shows what it would be sent. */
function readinessOf({ model }: Pair): ShownReadiness {
  try {
    runnableType(model)
    return shownReadiness({ word: 'ready' })
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return shownReadiness({ word: 'cannot run', cause: error })
  }
}

function printNote(text: string): void {
  process.stderr.write(`${noteText(text)}\n`)
}
