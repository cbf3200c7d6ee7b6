import { useMemo } from 'preact/hooks'
import { type RowPrompt, rowPrompts } from '../../../src/ask/row-prompts.ts'
import type { DatasetConfig, ModelConfig } from '../../../src/config/config-schema.ts'
import { compilePrompt, type PromptMaker } from '../../../src/prompt/compile-prompt.ts'
import type { TokenizerSite } from '../../../src/server/viewer/wire.ts'
import type { Tokenizer } from '../../../src/tokenize/tokenizer.ts'
import type { LoadedRow } from '../data/load.ts'
import { tokenizerAt } from '../data/tokenizers.ts'
import { useLoad } from '../data/use-load.ts'

export type Prompts = { maker: PromptMaker; prompts: RowPrompt[] } | { error: Error }

type Asked = {
  model: ModelConfig
  dataset: DatasetConfig
  tokenizer: TokenizerSite | undefined
  mode?: 'gen' | 'ppl' | undefined
  row: LoadedRow | undefined
}

/** The prompts of a row for a model, rendered here by the same code as in the terminal; undefined while something is loading. */
export function usePrompts({ model, dataset, tokenizer: site, mode, row }: Asked): Prompts | undefined {
  // A tokenizer decides about the prompt only where examples may have to be left out.
  const isNeeded = model.max_seq_len !== undefined && (row?.examples.length ?? 0) > 0 && site !== undefined
  const tokenizer = useLoad(async () => (isNeeded ? await tokenizerAt(site) : undefined), [isNeeded, site])
  const maker = useMemo(() => attempt(() => compilePrompt(model, dataset)), [model, dataset])
  return useMemo(() => {
    if ('error' in maker) return maker
    if (tokenizer.error) return { error: tokenizer.error }
    if (!row || (isNeeded && !tokenizer.value)) return undefined
    return render(maker.value, { model, dataset, tokenizer: tokenizer.value, row, mode })
  }, [maker, row, mode, tokenizer.value, tokenizer.error, isNeeded])
}

type Rendering = {
  model: ModelConfig
  dataset: DatasetConfig
  tokenizer: Tokenizer | undefined
  row: LoadedRow
  mode?: 'gen' | 'ppl' | undefined
}

function render(maker: PromptMaker, { model, dataset, tokenizer, row, mode }: Rendering): Prompts {
  const rendered = attempt(() => rowPrompts({ model, dataset, maker, tokenizer }, row, { mode }))
  return 'error' in rendered ? rendered : { maker, prompts: rendered.value }
}

export function attempt<Value>(work: () => Value): { value: Value } | { error: Error } {
  try {
    return { value: work() }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}
