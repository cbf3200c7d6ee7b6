import { isSignificant, isTooFew } from 'rolecall/internal/evaluation/run/record/compare-models'
import { adjustForNumber } from 'rolecall/internal/evaluation/run/record/compare-rows'
import { gain } from 'rolecall/internal/evaluation/score/evaluate/metric'
import type { PairDiff, RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadComparison, loadState } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { ErrorBox } from '../../parts/error-box.tsx'
import { FigureTable } from '../../parts/figure-table.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { hrefOf } from '../../route.ts'
import { compareTexts } from '../../texts/compare.ts'
import { modelName } from '../../texts/model-name.ts'
import { differenceText, figureText } from '../figure-text.ts'
import { changeCounts } from './change-counts.ts'
import { isOneModel, type Side } from './sides.ts'

type BaselineTableProps = { site: Site; baseline: Side; others: readonly Side[] }

/** Several runs or models against one: for each dataset the difference and the rows won, lost and tied. */
export function BaselineTable({ site, baseline, others }: BaselineTableProps) {
  const ui = compareTexts()
  const loaded = useLoad(
    async (signal) => ({
      // One after the other: the server compares one at a time.
      diffs: await inTurn(others, ({ path }) => loadComparison(baseline.path, path, signal)),
      states: new Map(
        await inTurn(
          [...new Set([baseline, ...others].map(({ run }) => run))],
          async (run) => [run, await loadState(run, signal)] as const,
        ),
      ),
    }),
    [baseline.path, ...others.map(({ path }) => path)],
  )
  if (loaded.error && site.exported !== undefined) return <p class="empty">{ui.notExported}</p>
  if (loaded.error) return <ErrorBox error={loaded.error} />
  if (!loaded.value || loaded.isLoading) return <Skeleton lines={6} />
  const { diffs, states } = loaded.value
  // All comparisons of the table count as one family.
  const adjusted = adjustForNumber(diffs.flatMap(({ pairs }) => pairs.map(({ comparison }) => comparison))).values()
  const columns = others.map((side, index) => ({
    side,
    pairs: diffs[index]!.pairs.map((pair): PairDiff => ({ ...pair, comparison: adjusted.next().value! })),
  }))
  const first = columns.flatMap(({ pairs }) => pairs)
  const lines = [...new Map(first.map((pair) => [pair.first, pair])).values()]
  if (lines.length === 0) return <p class="empty">{ui.nothing}</p>
  return (
    <>
      <FigureTable
        label={ui.againstBaseline}
        names={[ui.dataset, visibleText(baseline.name, false), ...others.map(({ name }) => visibleText(name, false))]}
        class="baseline-table of-figures"
      >
        {lines.map(({ first: number, comparison: { dataset, models, formats, unit } }) => (
          <tr key={number}>
            <th scope="row">
              {visibleText(dataset, false)}
              {!isOneModel(baseline) && <small>{visibleText(modelName({ model: models[0], format: formats?.[0] }), false)}</small>}
            </th>
            <td class="number">{figureText(resultOf(states, baseline, number), unit)}</td>
            {columns.map(({ side, pairs }) => (
              <Cell key={side.key} {...{ baseline, side, states }} pair={pairs.find((pair) => pair.first === number)} />
            ))}
          </tr>
        ))}
      </FigureTable>
      <p class="quiet">{ui.baselineAbout}</p>
    </>
  )
}

type CellProps = { baseline: Side; side: Side; states: ReadonlyMap<number, RunStatus>; pair: PairDiff | undefined }

function Cell({ baseline, side, states, pair }: CellProps) {
  const ui = compareTexts()
  if (!pair) return <td class="quiet">–</td>
  const { comparison: compared } = pair
  const { comparison, unit, direction, dataset, models, formats } = compared
  const { better, worse } = changeCounts(pair)
  const href = (show: string) =>
    hrefOf({
      page: 'compare',
      query: { first: baseline.key, second: side.key, dataset, model: models[0], format: formats?.[0] ?? '', show },
    })
  const isSure = comparison !== undefined && isSignificant(comparison)
  const isBetter = comparison !== undefined && gain(0, comparison.difference, direction) > 0
  return (
    <td>
      <a class="figure" href={href('')}>
        {figureText(resultOf(states, side, pair.second), unit)}{' '}
        {comparison && <b class={isSure ? (isBetter ? 'good' : 'bad') : ''}>{differenceText(comparison.difference, unit)}</b>}
      </a>
      <small>
        {comparison ? (
          <>
            {isTooFew(comparison) ? ui.tooFew : isSure ? ui.sure : ui.chance} · <a href={href('b')}>{ui.wins(better)}</a> ·{' '}
            <a href={href('w')}>{ui.losses(worse)}</a> · {ui.ties(comparison.rows - better - worse)}
          </>
        ) : compared.metrics ? (
          ui.notCompared(...compared.metrics)
        ) : compared.oneCluster === undefined ? (
          ui.noScores
        ) : (
          ui.oneCluster(compared.oneCluster)
        )}
      </small>
    </td>
  )
}

function resultOf(states: ReadonlyMap<number, RunStatus>, { run }: Side, pair: number): number | undefined {
  return states.get(run)?.pairs[pair]?.result?.value
}

async function inTurn<One, Result>(all: readonly One[], work: (one: One) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const one of all) results.push(await work(one))
  return results
}
