import { visibleText } from '../prompt/visible-text.tsx'
import { sideWords } from '../words/side-by-side.ts'
import { type TurnPart, textOfDrawn } from './align.ts'

type MarkedTurnProps = { turn: TurnPart | undefined; only: readonly [number, number][]; showWhitespace: boolean }

const longest = 20_000

/** One turn with what the other side does not have marked. */
export function MarkedTurn({ turn, only, showWhitespace }: MarkedTurnProps) {
  if (!turn) return <div class="turn none">{sideWords().nothingHere}</div>
  let offset = 0
  return (
    <div class="turn">
      {turn.role !== undefined && <h4 class="role">{visibleText(turn.role, false)}</h4>}
      <pre class="text">
        {turn.pieces.map((drawn, index) => {
          const text = textOfDrawn(drawn).slice(0, longest)
          const start = offset
          offset += textOfDrawn(drawn).length
          return (
            <span key={index} class={`piece o-${drawn.origin}${drawn.isMarker ? ' marker' : ''}`} title={drawn.piece.source.path}>
              {cut(text, only, start).map(({ part, isOnly }, at) =>
                isOnly ? (
                  <mark key={at} class="differs">
                    {visibleText(part, true)}
                  </mark>
                ) : (
                  <span key={at}>{visibleText(part, showWhitespace)}</span>
                ),
              )}
            </span>
          )
        })}
      </pre>
    </div>
  )
}

function cut(text: string, only: readonly [number, number][], start: number): { part: string; isOnly: boolean }[] {
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
