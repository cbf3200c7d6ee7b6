import { gain } from 'rolecall/internal/evaluation/score/evaluate/metric'
import type { PairDiff, RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { FigureTable } from '../../parts/figure-table.tsx'
import { Scatter } from '../../plots/scatter.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { compareTexts } from '../../texts/compare.ts'
import { modelName } from '../../texts/model-name.ts'
import { showDecimal } from '../../texts/numbers.ts'
import { unitName } from '../../texts/units.ts'
import { differenceText, figureText } from '../figure-text.ts'
import { useRunState } from '../use-run.ts'
import { Difference } from './difference.tsx'
import { settingsThatDiffer } from './settings.ts'
import type { Side } from './sides.ts'
import { whereDiffers } from './where-differs.ts'

type ComparedTableProps = {
  site: Site
  first: Side
  second: Side
  pairs: readonly PairDiff[]
  chosen: PairDiff | undefined
  /** Shows the rows of a pair, or those with one value in a column. */
  onChoose: (pair: PairDiff, where?: { by: string; value: string }) => void
}

/** The differences of all pairs, with intervals, descriptions and causes. */
export function ComparedTable({ site, first, second, pairs, chosen, onChoose }: ComparedTableProps) {
  const ui = compareTexts()
  const states = [useRunState(first.run).state, useRunState(second.run).state] as const
  return (
    <div class="compared-box">
      <FigureTable
        label={ui.title}
        names={[ui.dataset, ui.first, ui.second, ui.difference, ui.interval, ui.rows]}
        class="compared-table of-figures"
      >
        {pairs.map((pair) => (
          <Line key={`${pair.first} ${pair.second}`} {...{ site, first, second, pair, states, onChoose }} isChosen={pair === chosen} />
        ))}
      </FigureTable>
      <HeadToHead {...{ first, second, pairs, states }} />
    </div>
  )
}

type States = readonly [RunStatus | undefined, RunStatus | undefined]

type LineProps = Omit<ComparedTableProps, 'pairs' | 'chosen'> & { pair: PairDiff; states: States; isChosen: boolean }

function Line({ site, first, second, pair, states, isChosen, onChoose }: LineProps) {
  const ui = compareTexts()
  const { comparison: compared, rows } = pair
  const { comparison, unit, direction, differs } = compared
  const results = [states[0]?.pairs[pair.first]?.result, states[1]?.pairs[pair.second]?.result]
  const values = results.map((result) => result?.value)
  const where = compared.metrics ? [] : whereDiffers(results[0], results[1])
  const isScored = values.some((value) => value !== undefined)
  const count = (letter: string) => [...rows.changes].filter((one) => one === letter).length
  const [better, worse] = [count('b'), count('w')]
  const settings = settingsThatDiffer(site, [first.run, pair.first], [second.run, pair.second])
  const [one, other] = compared.models.map((model, side) => modelName({ model, format: compared.formats?.[side] }))
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" aria-pressed={isChosen} onClick={() => onChoose(pair)}>
          {visibleText(compared.dataset, false)}
        </button>
        <small>
          {visibleText(one === other ? one! : `${one} → ${other}`, false)}
          {isScored && unit !== '' && ` · ${unitName(unit)}`}
          {isScored && direction === 'lower' && ` · ${ui.lowerIsBetter}`}
        </small>
      </th>
      {values.map((value, side) => (
        <td key={side} class="number">
          {figureText(value, unit)}
        </td>
      ))}
      {comparison ? (
        <Difference comparison={comparison} />
      ) : (
        <>
          <td class="number">–</td>
          <td />
        </>
      )}
      <td class="words">
        {compared.metrics
          ? ui.notCompared(...compared.metrics)
          : comparison
            ? better + worse === 0
              ? ui.allEqual(comparison.rows)
              : ui.ways(better, worse, comparison.rows - better - worse)
            : compared.oneCluster === undefined
              ? ui.noScores
              : ui.oneCluster(compared.oneCluster)}
        <small>
          {differs.from === 'nothing' && (settings.length === 0 ? ui.differs.nothing() : ui.differs.onlySettings())}{' '}
          {(['prompts', 'answers', 'scoring'] as const).flatMap((kind) =>
            differs[kind] > 0 ? [`${ui.differs[kind](differs[kind], compared.rows)} `] : [],
          )}
          {compared.onlyInFirst + compared.onlyInSecond > 0 && `${ui.onlyRows(compared.onlyInFirst, compared.onlyInSecond)}. `}
          {settings.length > 0 && visibleText(ui.settings(settings.join(', ')), false)}
          {settings.length === 0 && differs.from !== 'nothing' && ui.sameSettings}
        </small>
        {where.length > 0 && (
          <span class="where-differs">
            {ui.mostIn}
            {where.map(({ column, value, difference }) => (
              <button
                key={`${column} ${value}`}
                type="button"
                class={`link ${gain(0, difference, direction) > 0 ? 'good' : 'bad'}`}
                title={column}
                onClick={() => onChoose(pair, { by: column, value })}
              >
                {visibleText(value, false)} {differenceText(difference, unit)}
              </button>
            ))}
          </span>
        )}
      </td>
    </tr>
  )
}

/** Percent metrics plotted against each other, if there are several. */
function HeadToHead({ first, second, pairs, states }: Pick<ComparedTableProps, 'first' | 'second' | 'pairs'> & { states: States }) {
  const points = pairs.flatMap(({ first: one, second: other, comparison: { unit, dataset, direction, metrics, models } }) => {
    const [x, y] = [states[0]?.pairs[one]?.result?.value, states[1]?.pairs[other]?.result?.value]
    if (unit !== 'percent' || metrics || x === undefined || y === undefined) return []
    const change = gain(x, y, direction)
    const kind = change > 0 ? ('better' as const) : change < 0 ? ('worse' as const) : ('same' as const)
    return [{ x, y, kind, label: `${dataset} (${models[0]}): ${showDecimal(x, 1)} → ${showDecimal(y, 1)}` }]
  })
  if (points.length < 2) return null
  const ui = compareTexts()
  return (
    <figure class="head-to-head">
      <Scatter label={ui.scatter(first.name, second.name)} points={points} range={[0, 100]} xName={ui.first} yName={ui.second} />
      <figcaption class="quiet">{ui.scatterAbout}</figcaption>
    </figure>
  )
}
