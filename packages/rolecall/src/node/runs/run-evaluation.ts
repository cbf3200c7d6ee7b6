import type { Config } from '../../evaluation/config/config-schema.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { onDisk } from './disk-error.ts'
import { inFolder } from './evaluate/in-folder.ts'
import { onQueue } from './evaluate/on-queue.ts'
import { prepareRun } from './evaluate/prepared-run.ts'
import { sendRows } from './evaluate/send-rows.ts'
import { underControl } from './evaluate/under-control.ts'
import type { EvaluationOptions, EvaluationRun } from './evaluation-options.ts'
import { parentsOf } from './outputs-folder.ts'

/**
 * Runs an evaluation like `rolecall run`: every model on every dataset; writes configs, predictions, results and a summary, and can
 * resume. A plain config is checked first; its paths are relative to the working folder.
 */
export async function runEvaluation(config: Config | LoadedConfig, given: EvaluationOptions = {}): Promise<EvaluationRun> {
  return onDisk(
    () => parentsOf(config, given)[0],
    () => evaluate(config, given),
    '-w FOLDER, or workDir',
  )
}

/** The story of a run: each step opens what the next ones need, and closes it when they are done or fail. */
async function evaluate(config: Config | LoadedConfig, given: EvaluationOptions): Promise<EvaluationRun> {
  registerScoringPlugIns()
  const run = await prepareRun(config, given)
  return inFolder(run, (open) => underControl(open, (controlled) => onQueue(controlled, sendRows)))
}
