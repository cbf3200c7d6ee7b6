import { unreadOf } from 'rolecall/internal/evaluation/run/record/column-metrics'
import type { PairResult } from 'rolecall/internal/evaluation/run/record/run-record'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../texts/model-name.ts'
import { showNumber } from '../../texts/numbers.ts'
import { runTexts } from '../../texts/run.ts'
import { figureName } from '../../texts/units.ts'
import { figureText, intervalText } from '../figure-text.ts'
import { rowsHref } from '../links.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** Metrics by the values of a column, e.g. a category: one table per dataset and column, with links to rows. */
export function FiguresBy(props: RunPageProps) {
  const results = props.state.pairs.flatMap(({ result }, pair) => (result?.by ? [{ pair, result }] : []))
  const tables = results.flatMap(({ result }) => result.by!.map(({ column }) => ({ dataset: result.dataset, column })))
  const distinct = tables.filter(
    (one, place) => tables.findIndex((other) => other.dataset === one.dataset && other.column === one.column) === place,
  )
  if (distinct.length === 0) return null
  const columns = [...new Set(distinct.map(({ column }) => column))].join(', ')
  return (
    <Section name="by" title={visibleText(runTexts().allBy(columns), false)} isOpen={false}>
      {distinct.map(({ dataset, column }) => (
        <ByColumn
          key={`${dataset} ${column}`}
          {...props}
          column={column}
          results={results.filter(({ result }) => result.dataset === dataset)}
        />
      ))}
    </Section>
  )
}

type ByColumnProps = RunPageProps & { column: string; results: readonly { pair: number; result: PairResult }[] }

function ByColumn({ site, number, column, results }: ByColumnProps) {
  const ui = runTexts()
  const figuresOf = ({ by = [] }: PairResult) => by.find((one) => one.column === column)?.figures ?? []
  const values = [...new Set(results.flatMap(({ result }) => figuresOf(result).map(({ of }) => of)))]
  const { dataset, unit } = results[0]!.result
  const title = ui.by(dataset, column)
  return (
    <div>
      <h3>
        {visibleText(title, false)} <small class="quiet">{figureName(results[0]!.result)}</small>
      </h3>
      <FigureTable label={title} names={[visibleText(column, false), ui.rows, ...results.map(({ result }) => modelName(result))]}>
        {values.map((value) => {
          const found = results.map(({ pair, result }) => ({ pair, figure: figuresOf(result).find(({ of }) => of === value) }))
          return (
            <tr key={value}>
              <th scope="row">{visibleText(value, false)}</th>
              <td>{showNumber(Math.max(...found.map(({ figure }) => figure?.rows ?? 0)))}</td>
              {found.map(({ pair, figure }) => (
                <td key={pair}>
                  {figure && (
                    <a class="figure" href={rowsHref(site, number, pair, { column, value })}>
                      <b>{figureText(figure.value, unit)}</b>{' '}
                      <small>
                        {intervalText(figure.interval, unit)} {unreadOf(figure) > 0 && ui.unread(unreadOf(figure))}
                      </small>
                    </a>
                  )}
                </td>
              ))}
            </tr>
          )
        })}
      </FigureTable>
    </div>
  )
}
