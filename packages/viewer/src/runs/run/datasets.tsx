import { distinctModels, isSamePair, type ModelName, modelText } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { Review } from 'rolecall/internal/evaluation/run/record/review'
import type { PairResult } from 'rolecall/internal/evaluation/run/record/run-record'
import type { PairStatus, RunSite, RunStatus } from 'rolecall/internal/server/viewer/viewer-data'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { annotationTexts } from '../../texts/annotations.ts'
import { metricName } from '../../texts/metric-names.ts'
import { modelName } from '../../texts/model-name.ts'
import { showDecimal } from '../../texts/numbers.ts'
import { runTexts } from '../../texts/run.ts'
import { figureName, withUnit } from '../../texts/units.ts'
import { figureText } from '../figure-text.ts'
import { rowsHref } from '../links.ts'
import type { RunPageProps } from './run-page.tsx'
import { ScoreCell } from './score-cell.tsx'
import { Section } from './section.tsx'

/** With more models, they become the rows of the table if there are fewer datasets. */
const mostColumns = 5

/** Each model on each dataset, with links to rows. Collapsed if there are groups. */
export function Datasets({ site, number, state, reviews }: RunPageProps & { reviews: readonly Review[] }) {
  const ui = runTexts()
  const run = site.runs[number]!
  const models = distinctModels(run.pairs)
  const datasets = [...new Set(run.pairs.map(({ dataset }) => dataset))]
  const hasGroups = (state.summary?.groups?.length ?? 0) > 0
  const datasetName = (dataset: string) => (
    <>
      {visibleText(dataset, false)}
      <small>{metricOf(run, state, dataset)}</small>
    </>
  )
  const resultsOn = (dataset: string) =>
    run.pairs.flatMap((pair, index) => (pair.dataset === dataset ? (state.pairs[index]?.result ?? []) : []))
  const cell = (model: ModelName, dataset: string) => {
    const index = run.pairs.findIndex((pair) => isSamePair(pair, { ...model, dataset }))
    return (
      <td key={`${modelText(model)} ${dataset}`}>
        {index >= 0 && (
          <a class="figure" href={rowsHref(site, number, index)}>
            <Figure pair={state.pairs[index]} all={resultsOn(dataset)} />
            {(reviews[index]?.reviewed ?? 0) > 0 && (
              <small class="beside">{annotationTexts().reviewedRows(reviews[index]!.reviewed)}</small>
            )}
          </a>
        )}
      </td>
    )
  }
  const areModelsLines = models.length > mostColumns && models.length > datasets.length
  return (
    <Section name="datasets" title={ui.datasets(datasets.length)} isOpen={!hasGroups}>
      <FigureTable
        label={ui.datasets(datasets.length)}
        names={
          areModelsLines
            ? [ui.model, ...datasets.map(datasetName)]
            : [ui.dataset, ...models.map((model) => visibleText(modelName(model), false))]
        }
      >
        {areModelsLines
          ? models.map((model) => (
              <tr key={modelText(model)}>
                <th scope="row">{visibleText(modelName(model), false)}</th>
                {datasets.map((dataset) => cell(model, dataset))}
              </tr>
            ))
          : datasets.map((dataset) => (
              <tr key={dataset}>
                <th scope="row">{datasetName(dataset)}</th>
                {models.map((model) => cell(model, dataset))}
              </tr>
            ))}
      </FigureTable>
    </Section>
  )
}

/** The metric of a dataset; nothing if it is finished without one. */
function metricOf({ pairs }: RunSite, state: RunStatus, dataset: string): string {
  const own = pairs.flatMap((pair, index) => (pair.dataset === dataset ? (state.pairs[index] ?? []) : []))
  const isWithoutFigure = own.length > 0 && own.every(({ result }) => result && result.value === undefined && result.beside === undefined)
  const figure = own.flatMap((pair) => pair.figure ?? [])[0]
  return figure && !isWithoutFigure ? figureName(figure) : ''
}

function Figure({ pair, all }: { pair: PairStatus | undefined; all: readonly PairResult[] }) {
  const ui = runTexts()
  const result = pair?.result
  if (result) {
    return (
      <>
        <ScoreCell value={result.value} interval={result.interval} unit={result.unit} range={result.range} all={all} />
        {result.failed > 0 && <small class="beside">{ui.failed(result.failed)}</small>}
        {result.cut > 0 && (
          <small class="beside">
            {ui.cut(showDecimal((100 * result.cut) / result.rows, 1), figureText(result.complete?.value, result.unit))}
          </small>
        )}
        {result.beside?.map((figure) => (
          <small key={figure.metric} class="beside">
            {withUnit(figure.value, figure.unit)} {metricName(figure.metric)}
          </small>
        ))}
      </>
    )
  }
  if (!pair || pair.rows === 0) return <span class="quiet">–</span>
  return (
    <>
      <b class="so-far">{pair.mean === undefined || !pair.figure ? '…' : figureText(pair.mean, pair.figure.unit)}</b>{' '}
      <small>{ui.rowsSoFar(pair.rows)}</small>
    </>
  )
}
