import { isMoreThanChance } from '../../../../src/record/compare-models.ts'
import { modelText } from '../../../../src/record/pair-name.ts'
import { digitsOf } from '../../../../src/record/show-figure.ts'
import { gain } from '../../../../src/score/evaluate/metric.ts'
import type { ComparedPair, RunState, Site } from '../../../../src/server/viewer/wire.ts'
import { IntervalPlot } from '../../plots/interval-plot.tsx'
import { Scatter } from '../../plots/scatter.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { compareWords } from '../../words/compare.ts'
import { showDecimal } from '../../words/numbers.ts'
import { useRunState } from '../use-run.ts'
import { settingsThatDiffer } from './settings.ts'
import type { Side } from './sides.ts'

type ComparedTableProps = {
  site: Site
  first: Side
  second: Side
  pairs: readonly ComparedPair[]
  chosen: ComparedPair | undefined
  onChoose: (pair: ComparedPair) => void
}

/** The differences of all pairs: numbers with their intervals, in words, and what they come from. */
export function ComparedTable({ site, first, second, pairs, chosen, onChoose }: ComparedTableProps) {
  const told = compareWords()
  const states = [useRunState(first.run).state, useRunState(second.run).state] as const
  return (
    <div class="compared-box">
      <div class="table-box">
        <table class="figures compared-table">
          <thead>
            <tr>
              {[told.dataset, told.first, told.second, told.difference, told.interval, told.rows].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair) => (
              <Line key={`${pair.first} ${pair.second}`} {...{ site, first, second, pair, states, onChoose }} isChosen={pair === chosen} />
            ))}
          </tbody>
        </table>
      </div>
      <HeadToHead {...{ first, second, pairs, states }} />
    </div>
  )
}

type States = readonly [RunState | undefined, RunState | undefined]

type LineProps = Omit<ComparedTableProps, 'pairs' | 'chosen'> & { pair: ComparedPair; states: States; isChosen: boolean }

function Line({ site, first, second, pair, states, isChosen, onChoose }: LineProps) {
  const told = compareWords()
  const { comparison: compared, rows } = pair
  const { comparison, unit, direction, differs } = compared
  const sign = (value: number) => `${value < 0 ? '−' : '+'}${showDecimal(Math.abs(value), digitsOf(unit))}`
  const values = [states[0]?.pairs[pair.first]?.result?.value, states[1]?.pairs[pair.second]?.result?.value]
  const count = (letter: string) => [...rows.changes].filter((one) => one === letter).length
  const [better, worse] = [count('b'), count('w')]
  const settings = settingsThatDiffer(site, [first.run, pair.first], [second.run, pair.second])
  const [one, other] = compared.models.map((model, side) => modelText({ model, format: compared.formats?.[side] }))
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" aria-pressed={isChosen} onClick={() => onChoose(pair)}>
          {visibleText(compared.dataset, false)}
        </button>
        <small>
          {visibleText(one === other ? one! : `${one} → ${other}`, false)}
          {unit === 'percent' ? ' · %' : ` · ${unit}`}
          {direction === 'lower' && ` · ${told.lowerIsBetter}`}
        </small>
      </th>
      {values.map((value, side) => (
        <td key={side}>{value === undefined ? '–' : showDecimal(value, digitsOf(unit))}</td>
      ))}
      <td>
        {comparison ? (
          <b class={isMoreThanChance(comparison) ? (gain(0, comparison.difference, direction) > 0 ? 'good' : 'bad') : ''}>
            {sign(comparison.difference)}
          </b>
        ) : (
          '–'
        )}
      </td>
      <td class="plot-cell">
        {comparison && (
          <>
            <IntervalPlot
              label={told.plot(`${sign(comparison.difference)} [${sign(comparison.interval.low)}, ${sign(comparison.interval.high)}]`)}
              value={comparison.difference}
              interval={comparison.interval}
              range={symmetric(comparison.interval, comparison.difference)}
              zero={0}
            />
            <small>
              [{sign(comparison.interval.low)}, {sign(comparison.interval.high)}] · {isMoreThanChance(comparison) ? told.sure : told.chance}
              {comparison.mcnemar && ` (McNemar p ${comparison.mcnemar.p < 0.001 ? '< 0.001' : showDecimal(comparison.mcnemar.p, 3)})`}
            </small>
          </>
        )}
      </td>
      <td class="words">
        {compared.metrics
          ? told.notCompared(...compared.metrics)
          : comparison
            ? told.ways(better, worse, comparison.rows - better - worse)
            : told.noScores}
        <small>
          {differs.from === 'nothing' && told.differs.nothing()}{' '}
          {(['prompts', 'answers', 'scoring'] as const).flatMap((kind) =>
            differs[kind] > 0 ? [`${told.differs[kind](differs[kind], compared.rows)} `] : [],
          )}
          {compared.onlyInFirst + compared.onlyInSecond > 0 && `${told.onlyRows(compared.onlyInFirst, compared.onlyInSecond)}. `}
          {settings.length === 0 ? told.sameSettings : visibleText(told.settings(settings.join(', ')), false)}
        </small>
      </td>
    </tr>
  )
}

/** As far to the left of no difference as to the right. */
function symmetric({ low, high }: { low: number; high: number }, value: number): [number, number] {
  const most = Math.max(Math.abs(low), Math.abs(high), Math.abs(value), 1e-9)
  return [-most, most]
}

/** Figures in per cent against one another, where there are several. */
function HeadToHead({ first, second, pairs, states }: Pick<ComparedTableProps, 'first' | 'second' | 'pairs'> & { states: States }) {
  const points = pairs.flatMap(({ first: one, second: other, comparison: { unit, dataset, direction, metrics, models } }) => {
    const [x, y] = [states[0]?.pairs[one]?.result?.value, states[1]?.pairs[other]?.result?.value]
    if (unit !== 'percent' || metrics || x === undefined || y === undefined) return []
    const change = gain(x, y, direction)
    const kind = change > 0 ? ('better' as const) : change < 0 ? ('worse' as const) : ('same' as const)
    return [{ x, y, kind, label: `${dataset} (${models[0]}): ${showDecimal(x, 1)} → ${showDecimal(y, 1)}` }]
  })
  if (points.length < 2) return null
  return (
    <Scatter
      label={compareWords().scatter(first.name, second.name)}
      points={points}
      range={[0, 100]}
      xName={first.name}
      yName={second.name}
    />
  )
}
