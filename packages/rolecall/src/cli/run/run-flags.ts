import type { LogProbabilitiesToKeep } from '../../evaluation/run/record/trim-scores.ts'
import type { Sampling } from '../../model/language-model/sampling-settings.ts'
import type { PresetFlags } from '../../node/config/dataset-flags.ts'
import type { CiFlags } from '../ci/report-run.ts'
import type { FormatFlags } from '../given-format.ts'

/** The flags of `rolecall run`. */
export type RunFlags = PresetFlags &
  FormatFlags &
  CiFlags &
  Omit<Partial<Sampling>, 'seed'> & {
    models?: string
    datasets?: string
    summarizer?: string
    compat?: 'opencompass'
    baseUrl?: string
    judge?: string
    model?: string
    modelArgs?: string
    batchSize?: string
    outputPath?: string
    formats?: string
    limit?: number
    maxOutLen?: number
    stop?: string[]
    shard?: string
    queue?: string | true
    /** Seconds. */
    waitForWorkers?: number
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
    score: boolean
    allowUnscorable?: boolean
    prompts: boolean
    layout?: 'opencompass'
    logProbabilities?: LogProbabilitiesToKeep
    json: boolean
    events?: string
    metrics?: string
    otel?: string | true
  }

/** The format flags that were given. */
export function formatFlagsIn(given: FormatFlags): [flag: string, value: string][] {
  const { format, convTemplate, mlcConfig, chatTemplate, specialTokens } = given
  const flags = {
    '--format': format,
    '--conv-template': convTemplate,
    '--mlc-config': mlcConfig,
    '--chat-template': chatTemplate,
    '--special-tokens': specialTokens,
  }
  return Object.entries(flags).filter((one): one is [string, string] => one[1] !== undefined)
}
