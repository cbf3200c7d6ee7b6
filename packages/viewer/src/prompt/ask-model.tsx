import type { Format } from '@rolecall/core/internal/format'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { generationOf } from 'rolecall/internal/evaluation/run/ask/generation'
import type { RequestPlan, RowQuestion } from 'rolecall/internal/evaluation/run/ask/inferencer'
import type { RowPrompt } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import { fitRow, startRow } from 'rolecall/internal/evaluation/run/ask/start-row'
import type { LanguageModel, ScoredPrompt } from 'rolecall/internal/model/language-model/language-model'
import { embeddedModel } from '../data/tokenizers.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { promptTexts } from '../texts/prompt.ts'

/** The embedded model's replies to some prompts. */
export type Asked = {
  prompts: readonly RowPrompt[]
  /** Replies per prompt, with all samples. */
  replies?: readonly (string | undefined)[]
  finish?: string
  scored?: readonly ScoredPrompt[]
  values?: readonly number[]
  best?: number
}

type AskProps = {
  prompts: readonly RowPrompt[]
  /** The index of the prompt to send. */
  chosen: number
  /** How the row is run, which decides how scores are used; absent without a row. */
  plan: RequestPlan | undefined
  question: RowQuestion
  format: Format
  model: ModelConfig
  dataset: DatasetConfig
  asked: Asked | undefined
  onAsked: (asked: Asked) => void
}

/** Sends exactly this prompt to the embedded model in the page, to show the effect of a wrong format. */
export function AskModel({ prompts, chosen, plan, question, format, model, dataset, asked, onAsked }: AskProps) {
  const [state, setState] = useState<{ isBusy: boolean; error?: Error }>({ isBusy: false })
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const current = prompts[chosen]
  if (!current || current.rendered.prompt.kind === 'chat') return null
  const words = promptTexts()
  const isScoring = current.mode === 'ppl'
  const ask = async () => {
    const stop = new AbortController()
    abort.current = stop
    setState({ isBusy: true })
    try {
      const language = await embeddedModel(format)
      if (isScoring) onAsked(await scoredBy(language, prompts, plan, question))
      else {
        let text = ''
        const generation = generationOf(model, dataset)
        const reply = await language.generate(current.rendered.prompt, {
          ...generation,
          maxTokens: Math.min(generation.maxTokens ?? 64, 64),
          signal: stop.signal,
          onText: (some) => {
            text += some
            onAsked({ prompts, replies: at(chosen, text) })
          },
        })
        onAsked({ prompts, replies: at(chosen, reply.text), finish: reply.finish })
      }
      setState({ isBusy: false })
    } catch (error) {
      setState({ isBusy: false, error: error as Error })
    }
  }
  return (
    <div class="ask">
      <button type="button" class="primary" disabled={state.isBusy} onClick={ask}>
        {state.isBusy ? words.asking : isScoring ? words.score : words.ask}
      </button>
      {state.isBusy && (
        <button type="button" onClick={() => abort.current?.abort()}>
          {words.stop}
        </button>
      )}
      {asked?.finish !== undefined && <span class="quiet">{asked.finish === 'stop' ? words.stopped : words.cut}</span>}
      {asked?.scored && <span class="quiet">{words.darker}</span>}
      {!asked && !state.isBusy && <span class="quiet">{words.runsHere}</span>}
      {state.error && <ErrorBox error={state.error} />}
    </div>
  )
}

function at(chosen: number, text: string): (string | undefined)[] {
  return Array.from({ length: chosen + 1 }, (_, index) => (index === chosen ? text : undefined))
}

/** The dataset's inferencer decides what is compared and which label wins. */
async function scoredBy(
  language: LanguageModel,
  prompts: readonly RowPrompt[],
  plan: RequestPlan | undefined,
  question: RowQuestion,
): Promise<Asked> {
  const scored = await language.score!(prompts.map(({ rendered }) => rendered.prompt))
  const { value } = plan ? fitRow(plan, startRow(plan, question)).asking.next({ kind: 'score', scored }) : { value: undefined }
  if (!value || !('prediction' in value)) return { prompts, scored }
  const { scores = [], prediction } = value
  const best = scores.findIndex(({ label }) => label !== undefined && label === prediction)
  return { prompts, scored, values: scores.map(({ value: one }) => one), ...(best < 0 ? {} : { best }) }
}
