import type { Row } from '@rolecall/core/internal/conversation'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import { bodyOf } from '@rolecall/core/internal/format'
import { maskOf } from '@rolecall/core/internal/masks'
import { isList, pyStr } from '@rolecall/core/internal/python'
import type { Origin, Piece } from '@rolecall/core/internal/text'
import { useMemo, useState } from 'preact/hooks'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { RequestPlan } from 'rolecall/internal/evaluation/run/ask/inferencer'
import { sentText } from 'rolecall/internal/evaluation/run/ask/request-text'
import { type RowPrompt, titleOf } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { RecordedNote, RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import type { TokenizerSite } from 'rolecall/internal/server/viewer/viewer-data'
import type { TrainedAnswer } from 'rolecall/internal/workbench/training/trained-answer'
import { tokenizerAt } from '../data/tokenizers.ts'
import { useLoad } from '../data/use-load.ts'
import { CopyButton, DownloadButton } from '../parts/copy.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { useLinked } from '../route.ts'
import { templateCode } from '../template/template-code.ts'
import { TemplateSource } from '../template/template-source.tsx'
import { partTexts } from '../texts/parts.ts'
import { promptTexts } from '../texts/prompt.ts'
import { Account } from './account.tsx'
import { type Asked, AskModel } from './ask-model.tsx'
import { ConversationPanel } from './conversation-panel.tsx'
import { countOrigins } from './counts.ts'
import { Legend } from './legend.tsx'
import { PromptText } from './prompt-text.tsx'
import { describe, Sources } from './sources.tsx'
import { surpriseNote } from './surprise-note.ts'
import { nameOfTokenizer, tokensOf } from './tokens-of.ts'
import type { Settings } from './use-settings.ts'
import { useTrained } from './use-trained.ts'
import { visibleText } from './visible-text.tsx'

export type PromptViewProps = {
  prompts: readonly RowPrompt[]
  /** The prompt to show, if there is one per label. */
  chosen: number
  onChoose: (index: number) => void
  model: ModelConfig
  dataset: DatasetConfig
  format: Format
  tokenizer: TokenizerSite | undefined
  row: Row
  examples: readonly Row[]
  notes?: readonly RecordedNote[]
  settings: Settings
  /** Hide the row, template and format beside the prompt, for pages where they are edited. */
  withoutSources?: boolean
  /** How the row is run; absent for a bare format or a chat. */
  plan?: RequestPlan
  /** Whether the embedded model is available. */
  canAsk?: boolean
  /** What a run recorded for it. */
  recorded?: RowRecord
}

/** A prompt and everything about it. */
export function PromptView(props: PromptViewProps) {
  const { model, dataset, format, row, examples, settings, notes } = props
  const trained = useTrained(props, settings.trained)
  const prompts = trained.value?.prompts ?? props.prompts
  const chosen = Math.min(props.chosen, prompts.length - 1)
  const current = prompts[chosen]!
  const { prompt } = current.rendered
  const [words, parts] = [promptTexts(), partTexts()]
  const [pointed, setPointed] = useState<number>()
  const [asked, setAsked] = useState<Asked>()
  const [heat, setHeat] = useState(true)
  const scores = props.recorded?.scores
  const needsTokens = settings.tokens || trained.value !== undefined || (scores !== undefined && heat)
  const tokenizer = useLoad(async () => (needsTokens ? await tokenizerAt(props.tokenizer) : undefined), [needsTokens, props.tokenizer])
  const tokenized = useMemo(
    () => tokensOf(prompt, format, needsTokens ? tokenizer.value : undefined),
    [prompt, format, tokenizer.value, needsTokens],
  )
  const tokens = tokenized?.tokens
  const part = trained.value?.trained[chosen]
  const mask = useMemo(() => (part && 'span' in part && tokens ? maskOf(tokens, [part.span]) : undefined), [part, tokens])
  const counts = useMemo(() => countOrigins(prompt, tokens), [prompt, tokens])
  const [linkedPiece, linkPiece] = useLinked('piece')
  const picked = linkedPiece !== undefined && /^\d+$/.test(linkedPiece) ? Number(linkedPiece) : undefined
  const [linkedOnly, linkOnly] = useLinked('only')
  const only = linkedOnly !== undefined && counts.has(linkedOnly as Origin) ? (linkedOnly as Origin) : undefined
  const pieces = prompt.kind === 'completion' ? prompt.pieces : prompt.messages.flatMap(({ content }) => content)
  const active = pointed ?? picked
  const code = useMemo(() => templateCode(model, prompt), [model, prompt])
  const [lit, setLit] = useState<ReadonlySet<number>>()
  const source = active === undefined ? undefined : pieces[active]?.source
  const answer = asked?.prompts === prompts ? asked : props.recorded && recordedAnswer(props.recorded, prompts)
  // Several samples share one prompt; the rounds of a chat have one each.
  const reply = prompts.length === 1 ? answer?.replies?.join('\n⋯\n') : answer?.replies?.[chosen]
  const logProbabilities = answer?.scored?.[chosen]?.logProbabilities ?? (heat ? scores?.[chosen]?.log_probabilities : undefined)
  const heated = answer?.scored?.[chosen]?.tokens ?? tokens
  // The record counts tokens of the model's tokenizer, which may differ from the one here.
  const surprise = logProbabilities?.length === heated?.length ? logProbabilities?.map((one) => (one === null ? null : -one)) : undefined
  return (
    <div class={`prompt-view${props.withoutSources ? ' alone' : ''}`}>
      <div class="prompt-side">
        <div class="toolbar">
          <Toggle on={settings.whitespace} onChange={settings.setWhitespace} hint="w">
            {parts.whitespace}
          </Toggle>
          <Toggle on={settings.tokens} onChange={settings.setTokens} hint="t">
            {parts.tokens}
          </Toggle>
          {settings.tokens && (
            <Toggle on={settings.ids} onChange={settings.setIds} hint="i">
              {parts.ids}
            </Toggle>
          )}
          {scores && (
            <Toggle on={heat} onChange={setHeat}>
              {words.surprise}
            </Toggle>
          )}
          {props.plan && (
            <Toggle on={settings.trained} onChange={settings.setTrained} hint="m">
              {words.trained}
            </Toggle>
          )}
          <span class="spread" />
          <CopyButton text={() => exactText(prompt)} />
          <DownloadButton name="prompt.txt" text={() => exactText(prompt)} />
        </div>
        {prompts.length > 1 && (
          <Tabs
            class="labels"
            label={words.prompts}
            names={prompts.map((one, index) => (
              <>
                {one.round === undefined ? (titleOf(one) ?? words.promptNumber(index + 1)) : words.round(one.round)}
                {answer?.values?.[index] !== undefined && <small>{answer.values[index]!.toFixed(3)}</small>}
                {answer?.best === index && <small class="best">{words.chosen}</small>}
              </>
            ))}
            chosen={chosen}
            onChoose={props.onChoose}
          />
        )}
        <Legend counts={counts} withTokens={tokens !== undefined} only={only} onOnly={linkOnly} />
        <PromptText
          prompt={prompt}
          mode={current.mode}
          showWhitespace={settings.whitespace}
          showIds={settings.ids}
          only={only}
          active={active}
          lit={lit}
          onPoint={setPointed}
          onPick={(piece) => linkPiece(piece === picked ? undefined : String(piece))}
          tokens={tokens}
          mask={mask}
          {...(surprise && heated ? { surprise, tokens: heated } : {})}
          reply={reply !== undefined && <pre class="text reply">{visibleText(reply.slice(0, 20_000), settings.whitespace)}</pre>}
        />
        {tokens && !props.tokenizer && <p class="quiet">{words.estimated}</p>}
        {part && <TrainedNote part={part} mask={mask} />}
        <p class="source-line" role="status">
          {source ? describe(source) : words.pointAt}
        </p>
        {(scores ? heat : props.recorded && current.mode === 'ppl') && (
          <p class="quiet">{surpriseNote(scores, chosen, surprise !== undefined)}</p>
        )}
        {props.canAsk && (
          <AskModel
            {...{ prompts, chosen, format, model, dataset }}
            plan={props.plan}
            question={{ row, examples }}
            asked={answer}
            onAsked={setAsked}
          />
        )}
        {trained.error && <ErrorBox error={trained.error} />}
        {tokenizer.error && <ErrorBox error={tokenizer.error} />}
        {tokenized?.error && <ErrorBox error={tokenized.error} />}
        <Account
          prompt={current}
          notes={[...(notes ?? []), ...(tokenized?.notes ?? [])]}
          tokenized={
            tokens && tokenizer.value
              ? { count: tokens.length, by: nameOfTokenizer(tokenizer.value.name, props.tokenizer, model) }
              : undefined
          }
        />
        <ConversationPanel conversation={current.rendered.conversation} />
      </div>
      {!props.withoutSources && (
        <Sources model={model} dataset={dataset} row={row} examples={examples} source={source}>
          {code && <TemplateSource code={code} active={active} onLight={setLit} />}
        </Sources>
      )}
    </div>
  )
}

/** The number of trained tokens, or why it cannot be determined. */
function TrainedNote({ part, mask }: { part: TrainedAnswer; mask: readonly (0 | 1)[] | undefined }) {
  const words = promptTexts()
  if ('why' in part) return <p class="trained-note">{words.notTrained(<span lang="en">{visibleText(part.why, false)}</span>)}</p>
  if (!mask) return null
  const count = mask.reduce<number>((sum, one) => sum + one, 0)
  return <p class="trained-note">{words.trainedCount(count, mask.length)}</p>
}

/** A run's answer in the shape of a reply generated here. */
function recordedAnswer({ prediction, scores }: RowRecord, prompts: readonly RowPrompt[]): Asked {
  if (!scores && prompts[0]?.mode === 'ppl') {
    const best = prompts.findIndex(({ label }) => label !== undefined && label === String(prediction))
    return { prompts, ...(best < 0 ? {} : { best }) }
  }
  if (!scores) return { prompts, replies: isList(prediction) ? prediction.map((one) => pyStr(one)) : [pyStr(prediction ?? '')] }
  const best = scores.findIndex(({ label }) => label !== undefined && label === String(prediction))
  return { prompts, values: scores.map(({ value }) => value ?? Number.NaN), ...(best < 0 ? {} : { best }) }
}

function exactText(prompt: Prompt): string {
  try {
    return prompt.kind === 'chat' ? sentText(prompt) : bodyOf(prompt)
  } catch {
    const write = (piece: Piece) => ('text' in piece ? piece.text : 'ids' in piece ? piece.ids.map((id) => `<#${id}>`).join('') : '')
    return prompt.kind === 'completion' ? prompt.pieces.map(write).join('') : ''
  }
}
