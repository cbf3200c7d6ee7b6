import { distinctModels, isSamePair, type ModelName, modelText } from '../../../../src/record/pair-name.ts'
import type { PairState } from '../../../../src/server/viewer/wire.ts'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../words/model-name.ts'
import { runWords } from '../../words/run.ts'
import { figureName, withUnit } from '../../words/units.ts'
import { figureText, intervalText } from '../figure-text.ts'
import { rowsHref } from '../links.ts'
import { FigurePlots } from './figure-plots.tsx'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** Each model on each dataset: a table that leads to the rows, and the same as dots with their intervals. Folded where there are groups. */
export function Datasets({ site, number, state }: RunPageProps) {
  const told = runWords()
  const run = site.runs[number]!
  const models = distinctModels(run.pairs)
  const datasets = [...new Set(run.pairs.map(({ dataset }) => dataset))]
  const pairAt = (model: ModelName, dataset: string) => run.pairs.findIndex((pair) => isSamePair(pair, { ...model, dataset }))
  const metricOf = (dataset: string) => {
    const figure = run.pairs.flatMap((pair, index) => (pair.dataset === dataset ? (state.pairs[index]?.figure ?? []) : []))[0]
    return figure ? figureName(figure) : ''
  }
  const hasGroups = (state.summary?.groups?.length ?? 0) > 0
  return (
    <Section name="datasets" title={told.datasets(datasets.length)} isOpen={!hasGroups}>
      <FigureTable
        label={told.datasets(datasets.length)}
        names={[
          told.model,
          ...datasets.map((dataset) => (
            <>
              {visibleText(dataset, false)}
              <small>{metricOf(dataset)}</small>
            </>
          )),
        ]}
      >
        {models.map((model) => (
          <tr key={modelText(model)}>
            <th scope="row">{visibleText(modelName(model), false)}</th>
            {datasets.map((dataset) => {
              const index = pairAt(model, dataset)
              return (
                <td key={dataset}>
                  {index >= 0 && (
                    <a class="figure" href={rowsHref(site, number, index)}>
                      <Figure pair={state.pairs[index]} />
                    </a>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </FigureTable>
      <FigurePlots {...{ site, number, state, datasets }} />
    </Section>
  )
}

function Figure({ pair }: { pair: PairState | undefined }) {
  const told = runWords()
  const result = pair?.result
  if (result) {
    return (
      <>
        <b>{figureText(result.value, result.unit)}</b>{' '}
        <small>
          {intervalText(result.interval, result.unit)}
          {result.failed > 0 && ` ${told.failed(result.failed)}`}
        </small>
        {result.beside?.map((figure) => (
          <small key={figure.metric} class="beside">
            {withUnit(figure.value, figure.unit)} {figure.metric}
          </small>
        ))}
      </>
    )
  }
  if (!pair || pair.rows === 0) return <span class="quiet">–</span>
  return (
    <>
      <b class="so-far">{pair.mean === undefined || !pair.figure ? '…' : figureText(pair.mean, pair.figure.unit)}</b>{' '}
      <small>{told.rowsSoFar(pair.rows)}</small>
    </>
  )
}
