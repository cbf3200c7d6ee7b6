import { FigureTable } from '../../parts/figure-table.tsx'
import { Mark, SpreadPlot } from '../../plots/spread-plot.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { runTexts } from '../../texts/run.ts'
import { axisOf, figureText } from '../figure-text.ts'
import { rowsHref } from '../links.ts'
import { formatLines } from './format-lines.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** The spread of a model's metrics over formats; nothing if each model has one format. */
export function Formats({ site, number, state }: RunPageProps) {
  const ui = runTexts()
  const lines = formatLines(site.runs[number]!, state)
  if (lines.length === 0) return null
  const formats = [...new Set(lines.flatMap(({ points }) => points.map(({ format }) => format)))]
  const nameOf = (format: string | undefined) => format ?? ui.ownFormat
  const { points: widest, unit, dataset } = lines[0]!
  const spread = Math.abs(widest[0]!.value - widest.at(-1)!.value)
  const several = new Set(lines.map(({ model }) => model)).size > 1
  return (
    <Section name="formats" title={`${ui.formats} · ${ui.farthest(figureText(spread, unit), dataset)}`} isOpen={false}>
      <p class="quiet">{ui.formatsAbout}</p>
      <ul class="marks">
        {formats.map((format, mark) => (
          <li key={nameOf(format)}>
            <Mark number={mark} /> {visibleText(nameOf(format), false)}
          </li>
        ))}
      </ul>
      <FigureTable label={ui.formats} names={[ui.dataset, ui.figures, ui.apart, ui.best, ui.worst]} class="formats">
        {lines.map(({ model, dataset, unit, range, points }) => {
          const [best, worst] = [points[0]!, points.at(-1)!]
          const marks = points.map(({ format, value }) => ({ mark: formats.indexOf(format), value, name: nameOf(format) }))
          const values = points.map(({ value }) => value)
          return (
            <tr key={`${model} ${dataset}`}>
              <th scope="row">
                {visibleText(dataset, false)}
                {several && <small>{visibleText(model, false)}</small>}
              </th>
              <td class="plot-cell">
                <SpreadPlot
                  label={marks.map(({ name, value }) => `${name} ${figureText(value, unit)}`).join(', ')}
                  points={marks}
                  range={axisOf({ unit, range }, values)}
                />
              </td>
              <td>
                <b>{figureText(Math.abs(best.value - worst.value), unit)}</b>
              </td>
              {[best, worst].map((point, place) => (
                <td key={place}>
                  <a href={rowsHref(site, number, point.pair)}>
                    {visibleText(nameOf(point.format), false)} {figureText(point.value, unit)}
                  </a>
                </td>
              ))}
            </tr>
          )
        })}
      </FigureTable>
    </Section>
  )
}
