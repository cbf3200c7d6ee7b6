import type { LogProbabilitiesToKeep } from '../../evaluation/run/record/trim-scores.ts'
import type { Sampling } from '../../model/language-model/sampling-settings.ts'
import type { PresetFlags } from '../../node/config/dataset-flags.ts'
import type { OpenCompassFlags } from '../../node/config/open-compass-flags.ts'
import type { FormatFlags } from '../../node/formats/format-flags.ts'
import type { PythonFlags } from '../../node/with-python/use-own-python.ts'
import type { CiFlags } from '../ci/report-run.ts'

/** The flags of `rolecall run`. */
export type RunFlags = PresetFlags &
  FormatFlags &
  CiFlags &
  OpenCompassFlags &
  PythonFlags &
  Omit<Partial<Sampling>, 'seed'> & {
    models?: string
    datasets?: string
    summarizer?: string
    compat?: 'opencompass'
    baseUrl?: string
    judge?: string
    model?: string
    modelArgs?: string
    launch?: string
    /** Seconds. */
    launchTime?: number
    batchSize?: string
    outputPath?: string
    formats?: string
    limit?: number
    epochs?: number
    maxOutLen?: number
    stop?: string[]
    shard?: string
    queue?: string | true
    /** Seconds. */
    waitForWorkers?: number
    /** Seconds. */
    waitForServer?: number
    maxNumWorkers?: number
    maxCost?: number | 'none'
    prices?: string
    maxTokensTotal?: number | 'none'
    /** Seconds. */
    maxTime?: number | 'none'
    workDir?: string
    reuse?: string | true
    retryErrors: boolean
    retryCut?: number
    cache: string | boolean
    dryRun: boolean
    printConfig?: boolean
    score: boolean
    allowUnscorable?: boolean
    batch?: boolean
    prompts: boolean
    layout?: 'opencompass'
    logProbabilities?: LogProbabilitiesToKeep
    json: boolean
    verbose: boolean
    events?: string
    metrics?: string
    otel?: string | true
  }
