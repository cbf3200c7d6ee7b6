import { useRef, useState } from 'preact/hooks'
import { generationOf } from '../../../src/ask/generation.ts'
import { perplexity } from '../../../src/ask/perplexity.ts'
import type { RowPrompt } from '../../../src/ask/row-prompts.ts'
import type { DatasetConfig, ModelConfig } from '../../../src/config/config-schema.ts'
import type { Format } from '../../../src/format/format.ts'
import type { ScoredPrompt } from '../../../src/model/language-model.ts'
import { embeddedModel } from '../data/tokenizers.ts'
import { ErrorBox } from '../parts/error-box.tsx'

/** What the embedded model said about some prompts. */
export type Asked = {
  prompts: readonly RowPrompt[]
  reply?: string
  finish?: string
  scored?: readonly ScoredPrompt[]
  values?: readonly number[]
  best?: number
}

type AskProps = {
  prompts: readonly RowPrompt[]
  format: Format
  model: ModelConfig
  dataset: DatasetConfig
  asked: Asked | undefined
  onAsked: (asked: Asked) => void
}

/** Asks the embedded model with exactly this prompt, in this page: what a wrong format does can be felt. */
export function AskModel({ prompts, format, model, dataset, asked, onAsked }: AskProps) {
  const [state, setState] = useState<{ isBusy: boolean; error?: Error }>({ isBusy: false })
  const abort = useRef<AbortController>(undefined)
  const [first] = prompts
  if (!first || first.rendered.prompt.kind === 'chat') return null
  const isScoring = first.mode === 'ppl'
  const ask = async () => {
    const stop = new AbortController()
    abort.current = stop
    setState({ isBusy: true })
    try {
      const language = await embeddedModel(format)
      if (isScoring) onAsked(scoredBy(await language.score!(prompts.map(({ rendered }) => rendered.prompt)), prompts))
      else {
        let text = ''
        const generation = generationOf(model, dataset)
        const reply = await language.generate(first.rendered.prompt, {
          ...generation,
          maxTokens: Math.min(generation.maxTokens ?? 64, 64),
          signal: stop.signal,
          onText: (some) => {
            text += some
            onAsked({ prompts, reply: text })
          },
        })
        onAsked({ prompts, reply: reply.text, finish: reply.finish })
      }
      setState({ isBusy: false })
    } catch (error) {
      setState({ isBusy: false, error: error as Error })
    }
  }
  return (
    <div class="ask">
      <button type="button" class="primary" disabled={state.isBusy} onClick={ask}>
        {state.isBusy ? 'the embedded model reads…' : isScoring ? 'Score with the embedded model' : 'Ask the embedded model'}
      </button>
      {state.isBusy && (
        <button type="button" onClick={() => abort.current?.abort()}>
          stop
        </button>
      )}
      {asked?.finish !== undefined && (
        <span class="quiet">{asked.finish === 'stop' ? 'it stopped by itself' : 'cut at the most tokens'}</span>
      )}
      {asked?.scored && <span class="quiet">the darker a token, the less the model expected it</span>}
      {!asked && !state.isBusy && <span class="quiet">runs in this page; it was trained in the format internlm2 only</span>}
      {state.error && <ErrorBox error={state.error} />}
    </div>
  )
}

function scoredBy(scored: readonly ScoredPrompt[], prompts: readonly RowPrompt[]): Asked {
  const values = scored.map(({ logProbabilities }) => perplexity(logProbabilities))
  return { prompts, scored, values, ...(values.length > 1 ? { best: values.indexOf(Math.min(...values)) } : {}) }
}
