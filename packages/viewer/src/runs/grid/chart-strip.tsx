import { useMemo, useRef, useState } from 'preact/hooks'
import { toggledTerm, tokensOf, valueTerm } from 'rolecall/internal/server/viewer/grid/filter-terms'
import type { RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import { Choice } from '../../parts/choice.tsx'
import { SpreadPlot } from '../../plots/spread-plot.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { gridTexts } from '../../texts/grid.ts'
import { axisOf, figureText } from '../figure-text.ts'
import { type ChartLine, groupingsOf, linesByTokens, linesByValue } from './chart-values.ts'
import type { GridColumn } from './grid-columns.ts'

type ChartStripProps = {
  grid: RowGrid
  columns: readonly GridColumn[]
  rows: readonly number[]
  line: string
  onChange: (line: string) => void
}

/** Scores of the rows shown, by category and by tokens. Each line is a term: a click adds it, another one removes it; dragging over tokens chooses a range. */
export function ChartStrip({ grid, columns, rows, line, onChange }: ChartStripProps) {
  const ui = gridTexts()
  const names = useMemo(() => groupingsOf(grid), [grid])
  const [chosen, choose] = useState<string>()
  const name = chosen !== undefined && names.includes(chosen) ? chosen : names[0]
  const byValue = useMemo(() => (name === undefined ? [] : linesByValue(grid, columns.length, rows, name)), [grid, rows, name])
  const byTokens = useMemo(() => linesByTokens(grid, columns.length, rows), [grid, rows])
  const start = useRef<ChartLine>(undefined)
  const rangeTo = (end: ChartLine) => {
    const from = start.current ?? end
    start.current = undefined
    const term = `tokens=${Math.min(from.from!, end.from!)}..${Math.max(from.to!, end.to!)}`
    const others = tokensOf(line).filter((token) => token === term || !token.startsWith('tokens='))
    onChange(toggledTerm(others.join(' '), term))
  }
  return (
    <section class="chart-strip" aria-label={ui.charts}>
      {name !== undefined && (
        <section aria-label={ui.scoreBy(name)}>
          {names.length > 1 ? (
            <Choice label={ui.scoreBy('')} value={name} options={names.map((one) => [one, one] as const)} onChange={choose} />
          ) : (
            <h2>{visibleText(ui.scoreBy(name), false)}</h2>
          )}
          <Lines columns={columns} lines={byValue} onChoose={({ name: value }) => onChange(toggledTerm(line, valueTerm(name, value)))} />
        </section>
      )}
      <section aria-label={ui.scoreBy(ui.tokens)}>
        <h2>{ui.scoreBy(ui.tokens)}</h2>
        <Lines
          columns={columns}
          lines={byTokens}
          onStart={(first) => {
            start.current = first
          }}
          onChoose={rangeTo}
        />
      </section>
    </section>
  )
}

type LinesProps = {
  columns: readonly GridColumn[]
  lines: readonly ChartLine[]
  onStart?: (line: ChartLine) => void
  onChoose: (line: ChartLine) => void
}

function Lines({ columns, lines, onStart, onChoose }: LinesProps) {
  const isMouse = useRef(false)
  const metric = lines.flatMap(({ scores }) => scores.flatMap((score) => score.metric ?? []))[0]
  const unit = metric?.unit ?? ''
  const values = lines.flatMap(({ scores }) => scores.flatMap(({ value }) => value ?? []))
  return (
    <ul>
      {lines.map((one) => {
        const points = one.scores.flatMap(({ value }, mark) =>
          value === undefined ? [] : [{ mark, value, name: `${columns[mark]!.letter} ${figureText(value, unit)}` }],
        )
        return (
          <li key={one.name}>
            <button
              type="button"
              onPointerDown={({ pointerType }) => {
                isMouse.current = pointerType === 'mouse'
                onStart?.(one)
              }}
              // A drag that began on another line ends here.
              onPointerUp={() => isMouse.current && onStart && onChoose(one)}
              onClick={({ detail }) => {
                const isByKey = detail === 0
                if (isByKey || !isMouse.current || !onStart) onChoose(one)
              }}
            >
              <span class="chart-name">{visibleText(one.name, false)}</span>
              {points.length === 0 ? (
                <span class="quiet">–</span>
              ) : (
                <SpreadPlot
                  label={points.map(({ name }) => name).join(', ')}
                  points={points}
                  range={axisOf({ unit, range: metric?.range }, values)}
                />
              )}
              <span class="count">{one.rows}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
