import type { PromptMaker } from '@rolecall/core/internal/compile'
import { useMemo } from 'preact/hooks'
import { registerLmEval } from 'rolecall/internal/compat/lm-eval/register'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { asWritten, withNotes } from 'rolecall/internal/evaluation/run/ask/as-written'
import type { RequestPlan } from 'rolecall/internal/evaluation/run/ask/inferencer'
import { type CompiledPair, compilePair } from 'rolecall/internal/evaluation/run/ask/plan-requests'
import {
  planPreview,
  type RecordedAnswer,
  type RowPrompt,
  recordedPrompts,
  rowPrompts,
} from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { TokenizerSite } from 'rolecall/internal/server/viewer/viewer-data'
import type { LoadedRow } from '../data/load.ts'
import { tokenizerAt } from '../data/tokenizers.ts'
import { useLoad } from '../data/use-load.ts'
import { isForeign, rowTrial, tryFirst } from '../guard/try-first.ts'
import { withTracing } from '../template/trace.ts'

registerLmEval()

export type Prompts = { plan: RequestPlan; maker: PromptMaker; prompts: RowPrompt[] } | { error: Error }

type Asked = {
  model: ModelConfig
  dataset: DatasetConfig
  tokenizer: TokenizerSite | undefined
  mode?: 'gen' | 'ppl' | undefined
  row: LoadedRow | undefined
  /** Show what was sent for this record instead of what would be sent now. */
  record?: RecordedAnswer | undefined
}

/** The prompts of a row for a model, rendered by the same code as in the terminal; undefined while loading. */
export function usePrompts({ model, dataset, tokenizer: site, mode, row, record }: Asked): Prompts | undefined {
  // Try a model's template in a worker, which can be stopped, before the page renders it.
  const trial = useMemo(() => (row && isForeign(model) ? rowTrial(model, dataset, mode, row) : undefined), [model, dataset, mode, row])
  const tried = useLoad(
    async (signal) => {
      if (trial) await tryFirst(trial, { signal })
      return { trial }
    },
    [trial],
  )
  const isTried = !isForeign(model) || (trial !== undefined && tried.value?.trial === trial)
  const joined = useMemo(() => (isTried ? attempt(() => compileTraced(model, dataset)) : { value: undefined }), [model, dataset, isTried])
  // The tokenizer affects the prompt only if examples may be dropped or ids are needed.
  const asksIds = 'value' in joined && joined.value?.inferencer.needsTokenizer === true
  const isNeeded = asksIds || (model.max_seq_len !== undefined && (row?.examples.length ?? 0) > 0 && site !== undefined && !record)
  const tokenizer = useLoad(async () => (isNeeded ? await tokenizerAt(site) : undefined), [isNeeded, site])
  const shown = useMemo(() => {
    if (tried.error) return { error: tried.error }
    if ('error' in joined) return joined
    const planned = joined.value
    if (tokenizer.error) return { error: tokenizer.error }
    if (!planned || !row || (isNeeded && !tokenizer.value)) return undefined
    return attempt(() => {
      const { value, notes } = asWritten(model, (written) => {
        const pair = written === model ? planned : compileTraced(written, dataset)
        const plan = planPreview(pair, { tokenizer: tokenizer.value }, mode)
        return { maker: pair.maker, plan, prompts: record ? recordedPrompts(plan, row, record) : rowPrompts(plan, row) }
      })
      return { ...value, prompts: withNotes(value.prompts, notes) }
    })
  }, [joined, model, dataset, row, record, mode, tokenizer.value, tokenizer.error, isNeeded, tried.error])
  return shown && 'value' in shown ? shown.value : shown
}

function compileTraced(model: ModelConfig, dataset: DatasetConfig): CompiledPair {
  return compilePair(withTracing(model), dataset, nameOf(model, dataset))
}

function nameOf({ abbr: model = 'model' }: ModelConfig, { abbr: dataset = 'dataset' }: DatasetConfig) {
  return { model, dataset }
}

export function attempt<Value>(work: () => Value): { value: Value } | { error: Error } {
  try {
    return { value: work() }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}
