import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { visibleText } from '../../prompt/visible-text.tsx'
import { labTexts } from '../../texts/lab.ts'
import type { Stretch } from '../engine/contract.ts'
import type { Mark } from '../lab-state.ts'

type StretchProps = { stretch: Stretch; show: ReadonlySet<Mark>; column: number }

/** Long text of a format is folded: what a message says stays in sight. */
const foldedFrom = 6
const mostDrawn = 20_000

/** A stretch in the colour of its writer, with its marks. */
export function StretchView({ stretch, show, column }: StretchProps) {
  const words = labTexts()
  const [isOpen, setOpen] = useState(false)
  const { text, by, path, message, code, media } = stretch
  const lines = text.split('\n')
  const isFolded = !isOpen && by === 'format' && lines.length > foldedFrom && stretch.tokens === undefined
  const isFoldedWithTokens = !isOpen && by === 'format' && lines.length > foldedFrom && !show.has('ids') && stretch.tokens !== undefined
  const fold = isFolded || isFoldedWithTokens
  const first = fold ? lines.slice(0, 3).join('\n').length + 1 : Math.min(text.length, isOpen ? text.length : mostDrawn)
  const last = fold ? text.length - lines.slice(-2).join('\n').length : text.length
  const hidden = fold ? lines.length - 5 : text.length > first ? text.slice(first).split('\n').length : 0
  const className = ['piece', `o-${by}`, stretch.isMarker ? 'marker' : '']
  return (
    <span
      class={className.filter(Boolean).join(' ')}
      data-c={column}
      data-path={path}
      data-by={by}
      {...(message === undefined ? {} : { 'data-m': message })}
      {...(code === undefined ? {} : { 'data-code': `${code[0]}-${code[1]}` })}
    >
      {media === undefined ? (
        drawn(stretch, 0, first, show)
      ) : (
        <span class="media">[{words.media[media as keyof typeof words.media] ?? media}]</span>
      )}
      {hidden > 0 && (
        <button type="button" class="more" onClick={() => setOpen(true)}>
          {words.unfold(hidden)}
        </button>
      )}
      {hidden > 0 && fold && drawn(stretch, last - 1, text.length, show)}
    </span>
  )
}

/** A part of a stretch, cut wherever a mark begins or ends. */
function drawn(stretch: Stretch, from: number, to: number, show: ReadonlySet<Mark>): ComponentChildren {
  const { text, harmless = [], differs = [], trained = [], tokens = [] } = stretch
  const ranges = [harmless, show.has('differences') ? differs : [], show.has('mask') ? trained : []]
  const withIds = show.has('ids')
  if (ranges.every((list) => list.length === 0) && (!withIds || tokens.length === 0)) return visible(text.slice(from, to), show)
  const cuts = new Set([from, to])
  for (const [start, end] of ranges.flat()) cuts.add(start).add(end)
  if (withIds) for (const { start, end } of tokens) cuts.add(start).add(end)
  const bounds = [...cuts].filter((at) => at >= from && at <= to).toSorted((one, other) => one - other)
  return bounds.slice(1).map((end, index) => {
    const start = bounds[index] ?? 0
    const holds = (list: readonly (readonly [number, number])[]) => list.some(([one, other]) => one <= start && end <= other)
    const token = withIds ? tokens.find((part) => part.start <= start && end <= part.end) : undefined
    const className = [
      holds(harmless) ? 'o-harmless' : '',
      show.has('differences') && holds(differs) ? 'differs' : '',
      show.has('mask') && holds(trained) ? 'trained' : '',
      token ? `token ${tokens.indexOf(token) % 2 === 0 ? 'even' : 'odd'}` : '',
    ]
    const isFirst = token?.start === start && token.opens
    return (
      <span key={start} class={className.filter(Boolean).join(' ')}>
        {visible(text.slice(start, end), show)}
        {isFirst && <sub class="id">{token.id}</sub>}
      </span>
    )
  })
}

/** Line breaks are always marked: prompts are compared to the byte. */
function visible(text: string, show: ReadonlySet<Mark>): ComponentChildren {
  if (show.has('whitespace')) return visibleText(text, true, { isPart: true })
  if (!text.includes('\n')) return visibleText(text, false, { isPart: true })
  return text.split('\n').flatMap((line, index, lines) => [
    visibleText(line, false, { isPart: true }),
    ...(index < lines.length - 1
      ? [
          <span key={index} class="white" data-mark="⏎">
            {'\n'}
          </span>,
        ]
      : []),
  ])
}
