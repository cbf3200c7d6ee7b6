import type { RunLine, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { FigureTable } from '../../parts/figure-table.tsx'
import { Sparkline } from '../../plots/sparkline.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { homeTexts } from '../../texts/home.ts'
import { modelName } from '../../texts/model-name.ts'
import { showDate } from '../../texts/numbers.ts'
import { figureName } from '../../texts/units.ts'
import { damageSummary } from '../damage-notice.tsx'
import { axisOf, figureText } from '../figure-text.ts'
import { rowsHref } from '../links.ts'
import { trendLines } from './trend-lines.ts'

/** Further scores are those of older runs. */
const mostPoints = 8

type TrendsProps = { site: Site; lines: readonly RunLine[]; by: 'dataset' | 'model'; isShown: (run: number) => boolean }

/** Scores by dataset or model instead of by run: each over time, with links to the rows. */
export function Trends({ site, lines, by, isShown }: TrendsProps) {
  const ui = homeTexts()
  const shown = lines.map((line, run) => (isShown(run) ? line : { ...line, figures: [] }))
  const names = by === 'dataset' ? [ui.dataset, ui.model] : [ui.model, ui.dataset]
  return (
    <FigureTable label={ui.trends} names={[...names, ui.figures, ui.trend, ui.metric]} class="trends">
      {trendLines(site, shown, by).map(({ name, metric, points }) => {
        const texts = [name.dataset, modelName(name)]
        const unit = metric?.unit ?? ''
        const latest = points.slice(-mostPoints)
        return (
          <tr key={`${name.dataset} ${modelName(name)}`}>
            <th scope="row">{visibleText(by === 'dataset' ? texts[0]! : texts[1]!, false)}</th>
            <td>{visibleText(by === 'dataset' ? texts[1]! : texts[0]!, false)}</td>
            <td class="trend-values">
              {points.length > latest.length && <small>{ui.more(points.length - latest.length)} </small>}
              {latest.map(({ run, pair, value }, index) => (
                <span key={run}>
                  {index > 0 && ' → '}
                  <a href={rowsHref(site, run, pair)} title={`${site.runs[run]!.name}, ${showDate(site.runs[run]!.started)}`}>
                    {figureText(value, unit)}
                  </a>
                  <DamagedRows damage={lines[run]?.damage} pair={pair} />
                </span>
              ))}
            </td>
            <td>
              {points.length > 1 && (
                <Sparkline
                  label={ui.trendOf(figureText(points[0]!.value, unit), figureText(points.at(-1)!.value, unit), points.length)}
                  values={points.map(({ value }) => value)}
                  range={axisOf(
                    { unit, range: metric?.range },
                    points.map(({ value }) => value),
                  )}
                />
              )}
            </td>
            <td class="quiet">{metric ? figureName(metric) : ''}</td>
          </tr>
        )
      })}
    </FigureTable>
  )
}

/** How many rows a score lacks. */
function DamagedRows({ damage = [], pair }: { damage: RunLine['damage']; pair: number }) {
  const own = damage.filter((one) => one.kind === 'rows' && one.pair === pair)
  return own.length === 0 ? null : <small class="state is-damaged"> ({damageSummary(own)})</small>
}
