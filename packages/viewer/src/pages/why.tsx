import { isSameModel, pairText } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { Site, WhyView } from 'rolecall/internal/server/viewer/viewer-data'
import type { WhySubject } from 'rolecall/internal/workbench/why/explain'
import { loadWhy } from '../data/runs.ts'
import { useLoad } from '../data/use-load.ts'
import { Choice } from '../parts/choice.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { FigureTable } from '../parts/figure-table.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { visibleText } from '../prompt/visible-text.tsx'
import { hrefOf, type Route, useQuery } from '../route.ts'
import { findSide, type Side, sidesOf } from '../runs/compare/sides.ts'
import { type ExplainedPair, ExplainedRows } from '../runs/why/explained-rows.tsx'
import { GroupReportView } from '../runs/why/group-report-view.tsx'
import { causeKey } from '../runs/why/listed-rows.ts'
import { CauseRows, Waterfall } from '../runs/why/waterfall.tsx'
import { whyNumbers } from '../runs/why/why-numbers.ts'
import { chosenPairs, pairsOf, type SidePair } from '../runs/why/why-sides.ts'
import { compareTexts } from '../texts/compare.ts'
import { modelName } from '../texts/model-name.ts'
import { whyTexts } from '../texts/why.ts'

/** The page of `rolecall why`: how much of the difference between two runs comes from what, and from which rows. */
export const whyPage = 'compare/why'

export function WhyPage({ site, route }: { site: Site; route: Route }) {
  const ui = whyTexts()
  const { query } = route
  const all = sidesOf(site, compareTexts().allModels)
  const [first, second] = [findSide(site, all, query.first), findSide(site, all, query.second)]
  const compare = hrefOf({ page: 'compare', query: { ...keys(query, ['first', 'second']) } })
  const pairs = first && second ? ([pairsOf(site, first), pairsOf(site, second)] as const) : undefined
  const chosen = pairs && chosenPairs(pairs, [query.a, query.b])
  const isGroup = query.of === 'datasets'
  const hasSeveral = chosen?.every((pair, place) => pairs![place]!.filter((other) => isSameModel(pair, other)).length > 1)
  const scopeHref = (of: string | undefined) =>
    hrefOf({ page: whyPage, query: { ...keys(query, ['first', 'second', 'a', 'b']), ...(of === undefined ? {} : { of }) } })
  return (
    <div class="runs-page why-page">
      <nav class="crumbs">
        <a href={compare}>← {ui.back}</a>
      </nav>
      <h1>{ui.title}</h1>
      <p class="quiet">{ui.about}</p>
      {site.exported !== undefined ? (
        <p class="empty">{ui.notExported}</p>
      ) : first && second && pairs && chosen ? (
        <>
          {(hasSeveral || isGroup) && (
            <p class="why-scope">
              <a href={scopeHref(undefined)} aria-current={isGroup ? undefined : 'true'}>
                {ui.oneDataset}
              </a>{' '}
              <a href={scopeHref('datasets')} aria-current={isGroup ? 'true' : undefined}>
                {ui.allDatasets}
              </a>
            </p>
          )}
          {isGroup ? (
            <GroupReportView {...{ site, route, sides: [first, second], pairs, chosen }} />
          ) : (
            <Explanation key={JSON.stringify([first.path, second.path])} {...{ site, route, sides: [first, second], pairs, chosen }} />
          )}
        </>
      ) : (
        <p class="empty">{compareTexts().chooseSides}</p>
      )}
    </div>
  )
}

type ExplanationProps = {
  site: Site
  route: Route
  sides: readonly [Side, Side]
  pairs: readonly [readonly SidePair[], readonly SidePair[]]
  chosen: readonly [SidePair, SidePair]
}

function Explanation({ site, route, sides, pairs, chosen }: ExplanationProps) {
  const change = useQuery(route)
  const ui = whyTexts()
  const { query } = route
  const explained = sides.map(({ run, name }, side) => ({ run, name, pair: chosen[side]!.number })) as [ExplainedPair, ExplainedPair]
  const [first, second] = explained
  const paths = explained.map(({ run, pair }) => `${run}.${pair}`).join('-')
  const loaded = useLoad((signal) => loadWhy(paths, query.metric, query.other, signal), [paths, query.metric, query.other])
  const view = loaded.value
  const anew = { rows: undefined, kind: undefined, row: undefined, metric: undefined, other: undefined }
  return (
    <>
      <div class="compare-bar">
        {sides.map((side, place) => {
          const which = place === 0 ? ui.first : ui.second
          const metrics = view?.metrics[place] ?? []
          return (
            <div key={place} class="why-side">
              <p class="quiet">
                {which}: {visibleText(side.name, false)}
              </p>
              {pairs[place]!.length > 1 && (
                <Choice
                  label={ui.pair(which)}
                  value={pairText(chosen[place]!)}
                  options={pairs[place]!.map((pair) => [pairText(pair), `${modelName(pair)} · ${pair.dataset}`] as const)}
                  onChange={(value) => change({ ...anew, [place === 0 ? 'a' : 'b']: value })}
                />
              )}
              {metrics.length > 1 && (
                <Choice
                  label={ui.metric(which)}
                  value={(place === 0 ? view!.report.first : view!.report.second).metric}
                  options={metrics.map((name) => [name, name] as const)}
                  onChange={(value) =>
                    change({ rows: undefined, kind: undefined, row: undefined, [place === 0 ? 'metric' : 'other']: value })
                  }
                />
              )}
            </div>
          )
        })}
        <button
          type="button"
          onClick={() =>
            change({
              first: query.second,
              second: query.first,
              a: query.b,
              b: query.a,
              metric: query.other,
              other: query.metric,
              row: undefined,
            })
          }
        >
          ⇄ {ui.swap}
        </button>
      </div>
      {loaded.error ? <ErrorBox error={loaded.error} /> : view ? null : <Skeleton lines={6} />}
      {view && !loaded.error && (
        <div class="why-report" aria-busy={loaded.isLoading}>
          <Report view={view} route={route} />
          {query.rows !== undefined && (
            <ExplainedRows key={`${paths} ${query.rows}`} {...{ site, route, view, sides: [first, second], list: query.rows }} />
          )}
        </div>
      )}
    </>
  )
}

function Report({ view: { report }, route }: { view: WhyView; route: Route }) {
  const ui = whyTexts()
  const { shown, signed } = whyNumbers(report)
  const hrefTo = (rows: string, kind?: string) => {
    const { row: _, kind: __, ...rest } = route.query
    return hrefOf({ page: whyPage, query: { ...rest, rows, ...(kind === undefined ? {} : { kind }) } })
  }
  const { join, common, notes, samePromptOtherAnswer, sameAnswerOtherVerdict } = report
  const linked = (rows: number, list: string, text: string) =>
    rows === 0 ? (
      <span class="quiet">{text}</span>
    ) : (
      <a href={hrefTo(list)} aria-current={route.query.rows === list ? 'true' : undefined}>
        {text}
      </a>
    )
  return (
    <>
      <Subjects report={report} shown={shown} />
      <p class="why-difference">
        {ui.difference} <b>{signed(report.difference)}</b>
      </p>
      {report.causes.length === 0 ? (
        <p>{ui.nothing}</p>
      ) : (
        <Waterfall
          {...{ report, shown, signed }}
          hrefOf={(cause) => hrefTo(causeKey(cause))}
          rowsOf={(cause) => <CauseRows {...{ cause, report, hrefTo }} />}
          chosen={route.query.rows}
        />
      )}
      <ul class="why-lists">
        <li>{linked(samePromptOtherAnswer.length, 'same-prompt', ui.samePrompt(samePromptOtherAnswer.length))}</li>
        <li>{linked(sameAnswerOtherVerdict.length, 'same-answer', ui.sameAnswer(sameAnswerOtherVerdict.length))}</li>
        <li>
          {linked(join.matched, 'matched', ui.matched(join.matched))} <span class="quiet">{ui.by(Object.entries(join.by))}</span>
          {join.onlyFirst.length > 0 && linked(join.onlyFirst.length, 'only-first', ui.onlyFirst(join.onlyFirst.length))}
          {join.onlySecond.length > 0 && linked(join.onlySecond.length, 'only-second', ui.onlySecond(join.onlySecond.length))}
          {join.ambiguous.length > 0 && linked(join.ambiguous.length, 'ambiguous', ui.ambiguous(join.ambiguous.length))}
        </li>
        {common.comparison && (
          <li>
            {ui.noise}: {noise(report, signed)}
          </li>
        )}
      </ul>
      {notes.length > 0 && (
        <details class="why-notes">
          <summary>
            {ui.notes} ({notes.length})
          </summary>
          <ul lang="en">
            {notes.map((note) => (
              <li key={note}>{visibleText(note, false)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function noise({ common: { rows, changed, comparison } }: WhyView['report'], signed: (value: number) => string): string {
  const ui = whyTexts()
  if (changed === 0) return ui.noNoise(rows)
  const { low, high } = comparison!.interval
  return `${ui.interval(rows, signed(low), signed(high))}${low <= 0 && high >= 0 ? ` ${ui.mayBeChance}` : ''}`
}

function Subjects({ report, shown }: { report: WhyView['report']; shown: (value: number) => string }) {
  const ui = whyTexts()
  const { columns } = ui
  const line = (which: string, { name, harness, model, dataset, metric, score, scored, rows }: WhySubject) => (
    <tr key={which}>
      <th scope="row">{which}</th>
      <td>
        {visibleText(`${model} · ${dataset}`, false)}
        <small>{visibleText(name, false)}</small>
      </td>
      <td>{visibleText(harness, false)}</td>
      <td>{visibleText(metric, false)}</td>
      <td class="number">{score === undefined ? '–' : shown(score)}</td>
      <td>{ui.scored(scored, rows)}</td>
    </tr>
  )
  return (
    <FigureTable
      label={ui.title}
      names={[columns.side, columns.run, columns.harness, columns.metric, columns.score, columns.rows]}
      class="why-subjects"
    >
      {line(ui.first, report.first)}
      {line(ui.second, report.second)}
    </FigureTable>
  )
}

function keys(query: Route['query'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))
}
