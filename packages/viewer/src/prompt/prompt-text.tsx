import type { Prompt } from '@rolecall/core/internal/format'
import { stringifyJson } from '@rolecall/core/internal/python'
import type { Origin } from '@rolecall/core/internal/text'
import type { Token } from '@rolecall/core/internal/tokenizer'
import { useState } from 'preact/hooks'
import { partTexts } from '../texts/parts.ts'
import { promptTexts } from '../texts/prompt.ts'
import { heatOf } from './heat.ts'
import { MediaView } from './media-view.tsx'
import { type Block, blocksOf, type Drawn, type Segment } from './segments.ts'
import { visibleText } from './visible-text.tsx'

export type PromptTextProps = {
  prompt: Prompt
  mode: 'gen' | 'ppl'
  tokens?: readonly Token[]
  /** The surprise of each token: its negative log-likelihood. */
  surprise?: readonly (number | null)[]
  /** 1 for each trained token. */
  mask?: readonly (0 | 1)[] | undefined
  showWhitespace?: boolean
  showIds?: boolean
  /** Only this origin is highlighted. */
  only?: Origin | undefined
  /** The hovered piece. */
  active?: number | undefined
  /** Pieces highlighted because their source is hovered. */
  lit?: ReadonlySet<number> | undefined
  onPoint?: (piece: number | undefined) => void
  onPick?: (piece: number) => void
  /** The content at the position where generation starts. */
  reply?: preact.ComponentChildren
}

/** The exact prompt, coloured by origin. */
export function PromptText(props: PromptTextProps) {
  const { prompt, tokens, mode, onPoint, onPick, showIds } = props
  const blocks = blocksOf(prompt, tokens)
  const pieceCount = blocks.reduce((sum, { pieces }) => sum + pieces.length, 0)
  const pieceAt = (event: Event) => {
    const found = (event.target as Element).closest?.('[data-piece]')
    return found instanceof HTMLElement ? Number(found.dataset.piece) : undefined
  }
  const point = (event: Event) => {
    const piece = pieceAt(event)
    if (piece !== undefined) onPoint?.(piece)
  }
  const words = promptTexts()
  const className = [
    'prompt',
    tokens ? 'with-tokens' : '',
    showIds ? 'with-ids' : '',
    props.only ? `only only-${props.only}` : '',
    props.surprise ? 'with-heat' : '',
    props.mask ? 'with-mask' : '',
  ]
  return (
    <div
      role="document"
      aria-label={words.prompt}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: with the focus here, the arrow keys go from stretch to stretch
      tabIndex={0}
      class={className.join(' ')}
      data-testid="prompt"
      onPointerOver={point}
      onPointerLeave={() => onPoint?.(undefined)}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        onPick?.(Math.max(0, Math.min(pieceCount - 1, (props.active ?? -1) + step)))
      }}
      onClick={(event) => {
        const piece = pieceAt(event)
        if (piece !== undefined && getSelection()?.isCollapsed !== false) onPick?.(piece)
      }}
    >
      {prompt.kind === 'chat' && prompt.tools && prompt.tools.length > 0 && (
        <section class="message" aria-label={words.tools}>
          <p class="role">{words.tools}</p>
          <pre class="extra">
            {visibleText(prompt.tools.map(({ schema }) => stringifyJson(schema, { ensureAscii: false, indent: 2 })).join('\n'), false)}
          </pre>
        </section>
      )}
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} {...props} />
      ))}
      {mode === 'gen' && (
        <div class="cut">
          <span class="cut-label">{prompt.kind === 'chat' ? words.nextMessage : words.speaksFromHere}</span>
          {props.reply}
        </div>
      )}
    </div>
  )
}

function BlockView({ block, ...props }: PromptTextProps & { block: Block }) {
  const text = (
    <pre class="text" dir="ltr">
      {block.pieces.map((drawn, index) => (
        <PieceView key={index} drawn={drawn} {...props} />
      ))}
    </pre>
  )
  if (block.role === undefined) return text
  return (
    <section class={`message${block.isAnswer ? ' is-answer' : ''}`} aria-label={promptTexts().message(block.role)}>
      <p class="role">
        {visibleText(block.role, false)}
        {block.name !== undefined && <small> {visibleText(block.name, false)}</small>}
      </p>
      {block.pieces.length === 0 ? <p class="quiet">{partTexts().empty}</p> : text}
      {block.extra && Object.keys(block.extra).length > 0 && (
        <pre class="extra">{visibleText(JSON.stringify(block.extra, null, 2), false)}</pre>
      )}
    </section>
  )
}

/** Characters of a piece rendered at first, and added at a time: a row may have megabytes. */
const drawnAtFirst = 20_000
const drawnMore = 200_000

function PieceView({ drawn, ...props }: PromptTextProps & { drawn: Drawn }) {
  const { piece, origin, segments } = drawn
  const [shown, setShown] = useState(drawnAtFirst)
  const number = segments[0]?.piece ?? 0
  if ('media' in piece) return <MediaView media={piece.media} />
  const length = 'text' in piece ? piece.text.length : 0
  const className = [
    'piece',
    `o-${origin}`,
    drawn.isMarker ? 'marker' : '',
    props.active === number || props.lit?.has(number) ? 'active' : '',
  ]
  const { kept, left } = length > shown ? cutSegments(segments, shown) : { kept: segments, left: 0 }
  return (
    <span class={className.filter(Boolean).join(' ')} data-piece={number}>
      {kept.map((segment, index) => (
        <SegmentView key={index} segment={segment} {...props} />
      ))}
      {left > 0 && (
        <span class="more">
          … {partTexts().more(left)}{' '}
          <button type="button" onClick={() => setShown(shown + drawnMore)}>
            {partTexts().showMore(Math.min(left, drawnMore))}
          </button>
        </span>
      )}
    </span>
  )
}

function cutSegments(segments: readonly Segment[], most: number): { kept: readonly Segment[]; left: number } {
  const kept: Segment[] = []
  let length = 0
  let all = 0
  for (const segment of segments) {
    all += segment.text.length
    if (length >= most) continue
    const text = segment.text.slice(0, most - length)
    kept.push({ ...segment, text })
    length += text.length
  }
  return { kept, left: all - length }
}

function SegmentView({ segment, tokens, surprise, mask, showWhitespace }: PromptTextProps & { segment: Segment }) {
  const text = visibleText(segment.text, showWhitespace === true, { isPart: true })
  if (segment.tokens === undefined || !tokens) return <>{text}</>
  const ids = segment.tokens.map((token) => tokens[token]!.id)
  const values = segment.tokens.map((token) => surprise?.[token]).filter((one) => typeof one === 'number')
  const value = values.length === 0 ? undefined : Math.max(...values)
  const isEven = segment.tokens[0]! % 2 === 0
  const className = ['token', isEven ? 'even' : 'odd', segment.opens ? 'opens' : '', segment.closes ? 'closes' : '', heatOf(value)]
  if (segment.tokens.some((token) => mask?.[token] === 1)) className.push('trained')
  const words = promptTexts()
  const surprising = value === undefined ? '' : ` · ${words.surpriseOf(value.toFixed(3), (100 * Math.exp(-value)).toFixed(1))}`
  return (
    <span class={className.filter(Boolean).join(' ')} data-id={ids.join(' ')} title={`${words.token(ids.join(', '))}${surprising}`}>
      {text}
    </span>
  )
}
