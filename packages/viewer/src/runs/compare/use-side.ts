import { pyStr } from '@rolecall/core/internal/python'
import { sentText } from 'rolecall/internal/evaluation/run/ask/request-text'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadRow } from '../../data/load.ts'
import { loadRecord } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { usePrompts } from '../../prompt/use-prompts.ts'
import { turnsText } from '../row/messages-in.ts'
import { useRunState } from '../use-run.ts'
import type { Side } from './sides.ts'

const noRecord = { prediction: null, examples: { used: 0, dropped: 0 } }

/** A row of one side: its record, and its prompts as recorded or rendered now. Undefined if the side lacks the row. */
export function useSide(site: Site, side: Pick<Side, 'run'>, pair: number, place: number | undefined) {
  const run = site.runs[side.run]!
  const { modelIndex, datasetIndex } = run.pairs[pair]!
  const config = site.configs[run.config]!
  const [model, dataset] = [config.models[modelIndex], config.datasets[datasetIndex]]
  const figure = useRunState(side.run).state?.pairs[pair]?.figure
  const loaded = useLoad(
    async (signal) => {
      if (place === undefined) return undefined
      const record: RowRecord = await loadRecord(site, side.run, pair, place, signal)
      const row =
        dataset && !record.prompts ? await loadRow(site, run.config, datasetIndex, record.id, signal).catch(() => undefined) : undefined
      return { record, row }
    },
    [side.run, pair, place],
  )
  const { record, row } = loaded.value ?? {}
  const made = usePrompts({
    model: model?.config ?? {},
    dataset: dataset?.config ?? { infer_cfg: {} },
    tokenizer: model?.tokenizer,
    row,
    record: record ?? noRecord,
  })
  const rendered = row && made && !('error' in made) ? made.prompts.map(({ rendered }) => sentText(rendered.prompt)) : undefined
  return {
    record,
    figure,
    error: loaded.error,
    isLoading: loaded.isLoading,
    answer: record && pyStr(record.prediction ?? ''),
    prompt: (record?.prompts ?? rendered)?.map(turnsText).join('\n⋯\n'),
  }
}
