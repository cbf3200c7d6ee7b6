import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { ErrorBox } from '../../parts/error-box.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { type Route, useQuery } from '../../route.ts'
import { compareTexts } from '../../texts/compare.ts'
import { gridTexts } from '../../texts/grid.ts'
import { Marked, useDiff } from '../compare/marked-diff.tsx'
import { useSide } from '../compare/use-side.ts'
import { ColumnBadge } from './column-badge.tsx'
import type { PanelCell } from './row-panel.tsx'

type DiffTabProps = { site: Site; cells: readonly PanelCell[]; route: Route }

/** The answers and prompts of two columns side by side, with differences marked: the first, and the one that is chosen. */
export function DiffTab({ site, cells, route }: DiffTabProps) {
  const change = useQuery(route)
  const words = compareTexts()
  const first = cells[0]!
  const second = cells.find(({ column }) => column.letter === route.query.at && column !== first.column) ?? cells[1]!
  const one = useSide(site, first.cell, first.cell.pair, first.place)
  const other = useSide(site, second.cell, second.cell.pair, second.place)
  const answers = useDiff(one.answer, other.answer)
  const prompts = useDiff(one.prompt, other.prompt)
  const sides = [
    { cell: first, ...one },
    { cell: second, ...other },
  ]
  const nameOf = ({ column }: PanelCell) => `${column.title} ${column.about}`.trim()
  return (
    <>
      {cells.length > 2 && (
        <fieldset class="column-choice">
          <legend class="quiet">
            {gridTexts().diffOf} {first.column.letter} –
          </legend>
          {cells.slice(1).map((cell) => (
            <button
              key={cell.column.letter}
              type="button"
              aria-pressed={cell === second}
              onClick={() => change({ at: cell.column.letter }, { replace: true })}
            >
              <ColumnBadge letter={cell.column.letter} /> {visibleText(cell.column.title, false)}
            </button>
          ))}
        </fieldset>
      )}
      {sides.map(({ error }, index) => error && <ErrorBox key={index} error={error} />)}
      <div class="both">
        {sides.map(({ cell, record }, place) => (
          <section key={cell.column.letter} class="answer" aria-label={words.answerIn(nameOf(cell))}>
            <h3>
              <span>
                <ColumnBadge letter={cell.column.letter} /> {visibleText(words.answerIn(nameOf(cell)), false)}
              </span>
            </h3>
            <pre class="text">{record?.error === undefined ? <Marked parts={answers[place]!} /> : visibleText(record.error, false)}</pre>
          </section>
        ))}
        {sides.map(({ cell, prompt, isLoading }, place) => (
          <section key={`${cell.column.letter} prompt`} class="answer" aria-label={words.promptIn(nameOf(cell))}>
            <h3>{visibleText(words.promptIn(nameOf(cell)), false)}</h3>
            <pre class="text">{prompt === undefined ? isLoading ? '…' : words.notKept : <Marked parts={prompts[place]!} />}</pre>
          </section>
        ))}
      </div>
    </>
  )
}
