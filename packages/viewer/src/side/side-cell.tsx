import type { Token } from '@rolecall/core/internal/tokenizer'
import type { Drawn, Segment } from '../prompt/segments.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { partTexts } from '../texts/parts.ts'
import { promptTexts } from '../texts/prompt.ts'
import { sideTexts } from '../texts/side-by-side.ts'
import { type Cell, isEmpty } from './align.ts'
import type { Range } from './match-texts.ts'
import { sourceKey, type Turn, textOfDrawn } from './turns.ts'

type SideCellProps = {
  cell: Cell
  /** What the others lack, as ranges of the whole prompt. */
  only: readonly Range[]
  tokens: readonly Token[] | undefined
  showWhitespace: boolean
  showIds: boolean
  /** The hovered source: everything from it is highlighted in every column. */
  pointed: string | undefined
}

const longest = 20_000

/** The turns of one prompt in a line, with differences marked. */
export function SideCell({ cell, ...props }: SideCellProps) {
  if (isEmpty(cell)) return <div class="turn none">{sideTexts().nothingHere}</div>
  return (
    <>
      {cell.map((turn) => (
        <SideTurn key={turn.at} {...props} turn={turn} />
      ))}
    </>
  )
}

function SideTurn({ turn, only, tokens, showWhitespace, showIds, pointed }: Omit<SideCellProps, 'cell'> & { turn: Turn }) {
  let offset = turn.at
  return (
    <div class={`turn${tokens ? ' with-tokens' : ''}${showIds ? ' with-ids' : ''}`}>
      {turn.role !== undefined && <h3 class="role">{visibleText(turn.role, false)}</h3>}
      <pre class="text" dir="ltr">
        {turn.pieces.map((drawn, index) => {
          const start = offset
          offset += textOfDrawn(drawn).length
          return (
            <span
              key={index}
              class={classOf(drawn, pointed)}
              data-source={sourceKey(drawn.piece.source)}
              data-piece={drawn.segments[0]?.piece}
            >
              {shown(drawn.segments).map((segment, at, all) => {
                const from = start + all.slice(0, at).reduce((sum, { text }) => sum + text.length, 0)
                return <SegmentText key={at} {...{ segment, only, from, tokens, showWhitespace }} />
              })}
              {offset - start > longest && <span class="more">… {partTexts().more(offset - start - longest)}</span>}
            </span>
          )
        })}
      </pre>
    </div>
  )
}

function classOf({ origin, isMarker, piece }: Drawn, pointed: string | undefined): string {
  return `piece o-${origin}${isMarker ? ' marker' : ''}${pointed === sourceKey(piece.source) ? ' active' : ''}`
}

/** The first characters of a piece, which may have megabytes. */
function shown(segments: readonly Segment[]): Segment[] {
  let left = longest
  return segments.flatMap((segment) => {
    if (left <= 0) return []
    const text = segment.text.slice(0, left)
    left -= text.length
    return [{ ...segment, text }]
  })
}

type SegmentTextProps = {
  segment: Segment
  only: readonly Range[]
  from: number
  tokens: readonly Token[] | undefined
  showWhitespace: boolean
}

function SegmentText({ segment, only, from, tokens, showWhitespace }: SegmentTextProps) {
  const text = cut(segment.text, only, from).map(({ part, isOnly }, at) =>
    isOnly ? (
      <mark key={at} class="differs">
        {visibleText(part, true, { isPart: true })}
      </mark>
    ) : (
      <span key={at}>{visibleText(part, showWhitespace, { isPart: true })}</span>
    ),
  )
  if (!tokens || segment.tokens === undefined) return <>{text}</>
  const ids = segment.tokens.map((token) => tokens[token]!.id)
  const isEven = segment.tokens[0]! % 2 === 0
  const className = ['token', isEven ? 'even' : 'odd', segment.opens ? 'opens' : '', segment.closes ? 'closes' : '']
  return (
    <span class={className.filter(Boolean).join(' ')} data-id={ids.join(' ')} title={promptTexts().token(ids.join(', '))}>
      {text}
    </span>
  )
}

function cut(text: string, only: readonly Range[], start: number): { part: string; isOnly: boolean }[] {
  const parts: { part: string; isOnly: boolean }[] = []
  let at = 0
  for (const [from, to] of only) {
    const [begin, end] = [Math.max(at, from - start), Math.min(text.length, to - start)]
    if (end <= at || begin >= text.length || end <= begin) continue
    if (begin > at) parts.push({ part: text.slice(at, begin), isOnly: false })
    parts.push({ part: text.slice(begin, end), isOnly: true })
    at = end
  }
  if (at < text.length) parts.push({ part: text.slice(at), isOnly: false })
  return parts
}
