import type { Format } from '@rolecall/core/internal/format'
import type { Origin, Source } from '@rolecall/core/internal/text'
import { useMemo, useState } from 'preact/hooks'
import type { DatasetConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { RowPrompt } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { LoadedRow } from '../data/load.ts'
import { tokenizerAt } from '../data/tokenizers.ts'
import { useLoad } from '../data/use-load.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { Account } from '../prompt/account.tsx'
import { countOrigins } from '../prompt/counts.ts'
import { Legend } from '../prompt/legend.tsx'
import { describe, Sources } from '../prompt/sources.tsx'
import { type Cut, nameOfTokenizer, tokensOf } from '../prompt/tokens-of.ts'
import type { Settings } from '../prompt/use-settings.ts'
import { useLinked } from '../route.ts'
import { partTexts } from '../texts/parts.ts'
import { promptTexts } from '../texts/prompt.ts'
import { sideTexts } from '../texts/side-by-side.ts'
import { alignPrompts, areIdentical } from './align.ts'
import type { Column } from './columns.ts'
import { identityText } from './identity-text.ts'
import { SideCell } from './side-cell.tsx'
import { sourceKey, turnsOf } from './turns.ts'

/** A column with its prompt, or the error. */
export type Side = { column: Column; prompt: RowPrompt; format: Format } | { column: Column; error: Error }
type Shown = Exclude<Side, { error: Error }>

type ComparedProps = { sides: readonly Side[]; dataset: DatasetConfig; row: LoadedRow; settings: Settings }

/** Prompts of one row side by side, turn by turn. */
export function Compared({ sides, dataset, row, settings }: ComparedProps) {
  const [only, setOnly] = useLinked('only')
  const [pointed, setPointed] = useState<{ side: number; source: Source }>()
  const shown = sides.filter((side): side is Shown => !('error' in side))
  const isIdentical = useMemo(
    () => shown.length > 1 && areIdentical(shown.map(({ prompt }) => prompt.rendered.prompt)),
    shown.map(({ prompt }) => prompt),
  )
  // Equal texts may have different tokens: identical prompts are always tokenized.
  const cuts = useTokens(shown, settings.tokens || isIdentical)
  const tokensAt = cuts.map((cut) => (settings.tokens ? cut?.tokens : undefined))
  const { lines, only: ranges } = useMemo(
    () => alignPrompts(shown.map(({ prompt }, index) => turnsOf(prompt.rendered.prompt, tokensAt[index]))),
    [...shown.map(({ prompt }) => prompt), ...tokensAt],
  )
  const counts = new Map(shown.flatMap(({ prompt }) => [...countOrigins(prompt.rendered.prompt)]))
  const words = sideTexts()
  const point = (event: Event) => {
    const piece = (event.target as Element).closest?.('[data-piece]')
    const cell = piece?.closest('[data-side]')
    if (!(piece instanceof HTMLElement) || !(cell instanceof HTMLElement)) return
    const side = Number(cell.dataset.side)
    const prompt = shown[side]?.prompt.rendered.prompt
    const pieces = prompt?.kind === 'completion' ? prompt.pieces : (prompt?.messages.flatMap(({ content }) => content) ?? [])
    const source = pieces[Number(piece.dataset.piece)]?.source
    if (source) setPointed({ side, source })
  }
  return (
    <>
      {sides.map((side) => ('error' in side ? <ErrorBox key={side.column.name} error={side.error} /> : null))}
      <Legend counts={counts} withCounts={false} only={only as Origin | undefined} onOnly={setOnly} />
      {isIdentical ? (
        <p class="identical" role="status">
          ✓{' '}
          {identityText(
            shown.map(({ column, prompt }, side) => ({ model: column.model, prompt: prompt.rendered.prompt, cut: cuts[side] })),
          )}
        </p>
      ) : (
        <p class="quiet">{words.hatched}</p>
      )}
      {settings.tokens && shown.some(({ column }) => !column.model.tokenizer) && <p class="quiet">{promptTexts().estimated}</p>}
      <div class={`side-lines columns-${shown.length} ${only ? `only only-${only}` : ''}`} data-testid="side-by-side" onPointerOver={point}>
        {lines.map((line, index) => (
          <div key={index} class="side-line">
            {line.map((cell, side) => (
              <div key={side} data-side={side} data-name={nameOf(shown[side]!.column)}>
                <SideCell
                  cell={cell}
                  only={ranges[side]!}
                  tokens={tokensAt[side]}
                  showWhitespace={settings.whitespace}
                  showIds={settings.ids}
                  pointed={pointed && sourceKey(pointed.source)}
                />
              </div>
            ))}
          </div>
        ))}
        <div class="side-line">
          {shown.map(({ prompt }, side) => (
            <div key={side} class={prompt.mode === 'gen' ? 'cut' : ''}>
              {prompt.mode === 'gen' && (
                <span class="cut-label">
                  {prompt.rendered.prompt.kind === 'chat' ? promptTexts().nextMessage : promptTexts().speaksFromHere}
                </span>
              )}
            </div>
          ))}
        </div>
        <p class="source-line" role="status">
          {pointed ? describe(pointed.source) : words.pointAt}
        </p>
        <div class="side-line">
          {shown.map(({ prompt, column: { model } }, side) => (
            <div key={side} data-name={nameOf(shown[side]!.column)}>
              {cuts[side]?.error && <ErrorBox error={cuts[side].error} />}
              <Account prompt={prompt} notes={cuts[side]?.notes ?? []} tokenized={tokenizedBy(cuts[side], model)} />
            </div>
          ))}
        </div>
        <SourcesOf side={shown[pointed?.side ?? 0]} {...{ dataset, row }} source={pointed?.source} />
      </div>
    </>
  )
}

function nameOf({ model, format }: Column): string {
  return format === undefined ? model.name : `${model.name} · ${format}`
}

/** The sources of the hovered prompt. */
function SourcesOf({
  side,
  dataset,
  row,
  source,
}: {
  side: Shown | undefined
  dataset: DatasetConfig
  row: LoadedRow
  source: Source | undefined
}) {
  if (!side) return null
  return (
    <details class="side-sources" open={source !== undefined}>
      <summary>{sideTexts().sources(side.column.model.name)}</summary>
      <Sources model={side.column.model.config} dataset={dataset} row={row.row} examples={row.examples} source={source} />
    </details>
  )
}

/** Each prompt tokenized by its model's tokenizer. */
function useTokens(sides: readonly Shown[], isWanted: boolean): (Cut | undefined)[] {
  const loaded = useLoad(
    async () => (isWanted ? await Promise.all(sides.map(({ column }) => tokenizerAt(column.model.tokenizer))) : []),
    [isWanted, ...sides.map(({ column }) => column.model.tokenizer)],
  )
  return useMemo(() => {
    if (loaded.error) return sides.map(() => ({ error: loaded.error! }))
    return sides.map(({ prompt, format }, side) => tokensOf(prompt.rendered.prompt, format, isWanted ? loaded.value?.[side] : undefined))
  }, [loaded.value, loaded.error, isWanted, ...sides.map(({ prompt }) => prompt)])
}

function tokenizedBy(cut: Cut | undefined, model: Column['model']): { count: number; by: string } | undefined {
  if (!cut?.tokens) return undefined
  const { tokenizer } = model
  const name = tokenizer && 'name' in tokenizer ? tokenizer.name : partTexts().tokens
  return {
    count: cut.tokens.length,
    by: nameOfTokenizer(tokenizer?.kind === 'embedded' ? promptTexts().shippedTokenizer : name, tokenizer, model.config),
  }
}
