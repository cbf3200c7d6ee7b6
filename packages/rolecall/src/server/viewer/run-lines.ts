import { PromptError } from '@rolecall/core/internal/errors'
import { rowLimit } from '../../evaluation/run/row-limit.ts'
import type { OpenRun, ViewedRun } from './open-run.ts'
import type { ViewedConfig } from './open-viewed-config.ts'
import { hasEnded } from './run-ended.ts'
import type { RunLine, RunStatus } from './viewer-data.ts'

/** One line per run. */
export function runLines({ configs, runs = [] }: { configs: readonly ViewedConfig[]; runs?: readonly ViewedRun[] }): Promise<RunLine[]> {
  return Promise.all(runs.map(({ run, config }) => runLine(run, configs[config])))
}

/** Progress and scores of a run, or why it cannot be read: one damaged run must not hide the others. */
async function runLine(run: OpenRun, config: ViewedConfig | undefined): Promise<RunLine> {
  try {
    return await readLine(run, config)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    const { where, problem, fix } = error
    return { state: error.code === 'run-gone' ? 'gone' : 'damaged', rows: 0, figures: [], error: { where, problem, fix } }
  }
}

/** All rows of each pair; undefined for those that cannot be counted. */
export function rowTotals(run: OpenRun, config: ViewedConfig | undefined, { pairs, damage }: RunStatus): Promise<(number | undefined)[]> {
  const datasets = run.site(0).pairs.map(({ datasetIndex }) => datasetIndex)
  return Promise.all(
    pairs.map(async ({ result }, pair) => {
      const rows = damage?.find((one) => one.kind === 'rows' && one.pair === pair)
      if (rows?.kind === 'rows' && rows.of !== undefined) return rows.of
      if (result) return result.rows
      // The page omits the total if some rows cannot be read.
      const listed = await config?.rows[datasets[pair] ?? -1]?.list(0).catch(() => undefined)
      return listed && Math.min(listed.total, rowLimit(run.info.options.limit, listed.total, ''))
    }),
  )
}

async function readLine(run: OpenRun, config: ViewedConfig | undefined): Promise<RunLine> {
  const state = await run.state()
  const { isLive, pairs, damage } = state
  const totals = await rowTotals(run, config, state)
  const failed = pairs.reduce((sum, { result }) => sum + (result?.failed ?? 0), 0)
  return {
    ...(damage ? { damage } : {}),
    state: isLive ? 'live' : hasEnded(state) ? 'done' : 'unfinished',
    rows: pairs.reduce((sum, { rows }) => sum + rows, 0),
    ...(totals.every((total) => total !== undefined) ? { all: totals.reduce<number>((sum, total) => sum + total, 0) } : {}),
    ...(failed > 0 ? { failed } : {}),
    figures: pairs.map(({ result, figure, mean }) => ({
      ...(figure ? { label: figure } : {}),
      ...(result?.value !== undefined ? { value: result.value } : mean !== undefined ? { value: mean } : {}),
    })),
  }
}
