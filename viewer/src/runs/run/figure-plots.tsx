import { IntervalPlot } from '../../plots/interval-plot.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../texts/model-name.ts'
import { runTexts } from '../../texts/run.ts'
import { figureName } from '../../texts/units.ts'
import { axisOf, figureText, intervalText } from '../figure-text.ts'
import { rowsHref } from '../links.ts'
import type { RunPageProps } from './run-page.tsx'

type FigurePlotsProps = Omit<RunPageProps, 'route'> & { datasets: readonly string[] }

/** One panel per dataset, one line per model: a dot with its 95 % interval on a shared axis. */
export function FigurePlots({ site, number, state, datasets }: FigurePlotsProps) {
  const { pairs } = site.runs[number]!
  if (state.pairs.every(({ result, mean }) => (result?.value ?? mean) === undefined)) return null
  return (
    <>
      <div class="plots">
        {datasets.map((dataset) => {
          const own = pairs.flatMap((pair, index) => (pair.dataset === dataset ? [{ pair, index, state: state.pairs[index] }] : []))
          const figure = own.flatMap((one) => one.state?.figure ?? [])[0]
          const unit = figure?.unit ?? 'percent'
          const shown = own.map((one) => ({
            ...one,
            value: one.state?.result?.value ?? one.state?.mean,
            interval: one.state?.result?.interval,
          }))
          const ends = shown.flatMap(({ value, interval }) => [value ?? [], interval ? [interval.low, interval.high] : []].flat())
          if (ends.length === 0) return null
          const axis = axisOf({ ...figure, unit }, ends)
          return (
            <figure key={dataset} class="plot">
              <figcaption>
                {visibleText(dataset, false)} {figure && <small class="quiet">{figureName(figure)}</small>}
              </figcaption>
              {shown.map(({ pair, index, value, interval }) => (
                <a key={index} class="dot-line" href={rowsHref(site, number, index)}>
                  <span class="dot-name">{visibleText(modelName(pair), false)}</span>
                  <IntervalPlot
                    label={`${figureText(value, unit)} ${intervalText(interval, unit)}`.trim()}
                    value={value}
                    interval={interval}
                    range={axis}
                  />
                  <span class="dot-value" aria-hidden="true">
                    {figureText(value, unit)}
                  </span>
                </a>
              ))}
              <div class="dot-line axis-ends" aria-hidden="true">
                <span />
                <span class="ends">
                  <span>{figureText(axis[0], unit)}</span>
                  <span>{figureText(axis[1], unit)}</span>
                </span>
                <span />
              </div>
            </figure>
          )
        })}
      </div>
      <p class="quiet">{runTexts().plots}</p>
    </>
  )
}
