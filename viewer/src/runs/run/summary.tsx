import { answersTable, hasUnread } from '../../../../src/record/answers-table.ts'
import { comparisonText, isMoreThanChance } from '../../../../src/record/compare-models.ts'
import { figuresByTables } from '../../../../src/record/figures-by.ts'
import { distinctModels, isSamePair, type ModelName, modelText } from '../../../../src/record/pair-name.ts'
import type { PairResult } from '../../../../src/record/run-record.ts'
import { figureLabel, showInterval, showValue, showWithUnit } from '../../../../src/record/show-figure.ts'
import { remarksOf, weighting } from '../../../../src/record/summary-markdown.ts'
import type { PairState, RunSite, RunState } from '../../../../src/server/viewer/wire.ts'
import { visibleText } from '../../prompt/visible-text.tsx'

type SummaryProps = { run: RunSite; state: RunState; onPair: (pair: number) => void; chosen: number | undefined }

/** The figures of a run: a table of models and datasets, the same as bars, and what is to be known about them. */
export function Summary({ run, state, onPair, chosen }: SummaryProps) {
  const models = distinctModels(run.pairs)
  const datasets = [...new Set(run.pairs.map(({ dataset }) => dataset))]
  const pairAt = (model: ModelName, dataset: string) => run.pairs.findIndex((pair) => isSamePair(pair, { ...model, dataset }))
  const metricOf = (dataset: string) => {
    const figure = run.pairs.flatMap((pair, index) => (pair.dataset === dataset ? (state.pairs[index]?.figure ?? []) : []))[0]
    return figure ? figureLabel(figure) : ''
  }
  const { comparisons = [], groups = [], groupNotes = [] } = state.summary ?? {}
  const results = state.pairs.flatMap(({ result }) => result ?? [])
  const remarks = run.pairs.flatMap((pair, index) => {
    const result = state.pairs[index]?.result
    return result ? remarksOf(result).map((remark) => ({ remark, who: `${modelText(pair)} · ${pair.dataset}` })) : []
  })
  return (
    <div class="summary">
      <div class="table-box">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">model</th>
              {datasets.map((dataset) => (
                <th key={dataset} scope="col">
                  {visibleText(dataset, false)}
                  <small>{metricOf(dataset)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={modelText(model)}>
                <th scope="row">{visibleText(modelText(model), false)}</th>
                {datasets.map((dataset) => {
                  const index = pairAt(model, dataset)
                  return (
                    <td key={dataset}>
                      {index >= 0 && (
                        <button type="button" class="figure" aria-pressed={index === chosen} onClick={() => onPair(index)}>
                          <Figure pair={state.pairs[index]} />
                        </button>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="plots">
        {datasets.map((dataset) => (
          <Plot
            key={dataset}
            title={dataset}
            bars={models.flatMap((model) => {
              const index = pairAt(model, dataset)
              return index < 0 ? [] : [{ name: modelText(model), pair: state.pairs[index], onClick: () => onPair(index) }]
            })}
          />
        ))}
      </div>
      {results.length > 0 && <Answers results={results} />}
      {figuresByTables(results).map(({ title, table }) => (
        <Folded key={title} title={title} table={table} isOpen={table.length <= 12} />
      ))}
      {groups.length + groupNotes.length > 0 && (
        <ul class="remarks">
          {groups.map((one) => (
            <li key={`${modelText(one)} ${one.group}`}>
              <b>{one.group}</b> {modelText(one)}: {showValue(one)}
              {showInterval(one)}
              {weighting(one)}
            </li>
          ))}
          {groupNotes.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {comparisons.length > 0 && (
        <details class="remarks">
          <summary>{comparisons.filter(isMoreThanChance).length} differences between models are more than chance</summary>
          <ul>
            {comparisons.map((one, index) => (
              <li key={index} class={isMoreThanChance(one) ? 'sure' : 'quiet'}>
                {visibleText(comparisonText(one), false)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {remarks.length > 0 && (
        <details class="remarks">
          <summary>{remarks.length} remarks</summary>
          <ul>
            {remarks.map(({ remark, who }, index) => (
              <li key={index}>
                <b>{visibleText(who, false)}</b> {visibleText(remark, false)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** What became of the answers of each pair; open where some could not be read. */
function Answers({ results }: { results: readonly PairResult[] }) {
  return <Folded title="what became of the answers" table={answersTable(results)} isOpen={results.some(hasUnread)} />
}

/** A table with its heading that can be folded. */
function Folded({ title, table: [heading = [], ...lines], isOpen }: { title: string; table: readonly string[][]; isOpen: boolean }) {
  return (
    <details class="remarks" open={isOpen}>
      <summary>{visibleText(title, false)}</summary>
      <div class="table-box">
        <table class="figures">
          <thead>
            <tr>
              {heading.map((name) => (
                <th key={name} scope="col">
                  {visibleText(name, false)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(([name = '', ...cells]) => (
              <tr key={name}>
                <th scope="row">{visibleText(name, false)}</th>
                {cells.map((cell, index) => (
                  <td key={heading[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function Figure({ pair }: { pair: PairState | undefined }) {
  const result = pair?.result
  if (result) {
    return (
      <>
        <b>{showValue(result)}</b>
        <small>
          {showInterval(result)}
          {result.failed > 0 && ` ${result.failed} failed`}
        </small>
        {result.beside?.map((figure) => (
          <small key={figure.metric} class="beside">
            {showWithUnit(figure)} {figure.metric}
          </small>
        ))}
      </>
    )
  }
  if (!pair || pair.rows === 0) return <span class="quiet">–</span>
  return (
    <>
      <b class="so-far">{pair.mean === undefined || !pair.figure ? '…' : showValue({ value: pair.mean, unit: pair.figure.unit })}</b>
      <small>{pair.rows.toLocaleString('en')} rows so far</small>
    </>
  )
}

type Bar = { name: string; pair: PairState | undefined; onClick: () => void }

/** One dataset's figures as bars with their intervals. */
function Plot({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const figure = bars.flatMap(({ pair }) => pair?.figure ?? [])[0]
  const unit = figure?.unit ?? 'percent'
  const shownValue = (pair: PairState | undefined) => pair?.result?.value ?? pair?.mean
  const highest = bars.map(({ pair }) => pair?.result?.interval?.high ?? shownValue(pair) ?? 0)
  const most = unit === 'percent' ? 100 : Math.max(1e-9, ...highest)
  const at = (value: number) => `${Math.max(0, Math.min(100, (100 * value) / most))}%`
  return (
    <figure class="plot">
      <figcaption>
        {visibleText(title, false)} {figure && <small class="quiet">{figureLabel(figure)}</small>}
      </figcaption>
      {bars.map(({ name, pair, onClick }) => {
        const value = shownValue(pair)
        const interval = pair?.result?.interval
        return (
          <button
            key={name}
            type="button"
            class="bar-line"
            onClick={onClick}
            title={interval && pair?.result ? `${showValue(pair.result)}${showInterval(pair.result)}` : undefined}
          >
            <span class="bar-name">{visibleText(name, false)}</span>
            <span class="bar-room">
              {value !== undefined && <span class="bar" style={{ width: at(value) }} />}
              {interval && <span class="whisker" style={{ left: at(interval.low), right: `calc(100% - ${at(interval.high)})` }} />}
            </span>
            <span class="bar-value">{showValue({ value, unit })}</span>
          </button>
        )
      })}
    </figure>
  )
}
