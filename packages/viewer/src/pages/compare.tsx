import { pairText } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadComparison, loadState } from '../data/runs.ts'
import { useLoad } from '../data/use-load.ts'
import { Choice } from '../parts/choice.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { visibleText } from '../prompt/visible-text.tsx'
import { hrefOf, type Route, useQuery } from '../route.ts'
import { BaselineTable } from '../runs/compare/baseline-table.tsx'
import { ComparedRows } from '../runs/compare/compared-rows.tsx'
import { ComparedTable } from '../runs/compare/compared-table.tsx'
import { choosableSides, findSide, type Side, sidesOf } from '../runs/compare/sides.ts'
import { DamageNotice } from '../runs/damage-notice.tsx'
import { gridQuery } from '../runs/grid/grid-address.ts'
import { compareTexts } from '../texts/compare.ts'
import { headerTexts } from '../texts/header.ts'
import { partTexts } from '../texts/parts.ts'
import { runTexts } from '../texts/run.ts'
import { whyTexts } from '../texts/why.ts'
import { WhyPage, whyPage } from './why.tsx'

/** Compares two runs, or two models of a run: differences, their significance, and the affected rows. */
export function ComparePage({ site, route }: { site: Site; route: Route }) {
  return route.page === whyPage ? <WhyPage site={site} route={route} /> : <TwoSides site={site} route={route} />
}

function TwoSides({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const ui = compareTexts()
  const { query } = route
  const sides = sidesOf(site, ui.allModels)
  const [first, second] = [findSide(site, sides, query.first), findSide(site, sides, query.second)]
  const more = othersIn(query.others)
  const chosen = [first?.key, second?.key, ...more]
  const optionsFor = (own?: string) => [
    ['', '–'] as const,
    ...choosableSides(sides, chosen, own).map(({ key, name }) => [key, name] as const),
  ]
  const others = [second, ...more.map((key) => findSide(site, sides, key))].filter((side) => side !== undefined)
  const missing = [query.first, query.second, ...more].filter((key) => key !== undefined && !findSide(site, sides, key))
  const setMore = (keys: readonly string[]) => change({ others: keys.length === 0 ? undefined : JSON.stringify(keys), row: undefined })
  return (
    <div class="runs-page">
      <h1>{ui.title}</h1>
      <p class="quiet">{ui.about}</p>
      <div class="compare-bar">
        <Choice
          label={ui.first}
          value={first?.key ?? ''}
          options={optionsFor(first?.key)}
          onChange={(value) => change({ first: value || undefined, dataset: undefined, model: undefined, row: undefined })}
        />
        <button type="button" onClick={() => change({ first: query.second, second: query.first, row: undefined })}>
          ⇄ {ui.swap}
        </button>
        <Choice
          label={ui.second}
          value={second?.key ?? ''}
          options={optionsFor(second?.key)}
          onChange={(value) => change({ second: value || undefined, dataset: undefined, model: undefined, row: undefined })}
        />
        {more.map((key, index) => (
          <Choice
            key={key}
            label={ui.another}
            value={findSide(site, sides, key)?.key ?? ''}
            options={optionsFor(key)}
            onChange={(value) => setMore(value === '' ? more.filter((_, place) => place !== index) : more.with(index, value))}
          />
        ))}
        {first && second && choosableSides(sides, chosen).length > 0 && (
          <Choice label={ui.addAnother} value="" options={optionsFor()} onChange={(value) => value !== '' && setMore([...more, value])} />
        )}
      </div>
      {missing.map((key) => (
        <p key={key} class="error">
          {visibleText(runTexts().noRun(key!), false)}
        </p>
      ))}
      {first && others.length > 1 ? (
        <BaselineTable site={site} baseline={first} others={others.filter((side) => side.key !== first.key)} />
      ) : first && second && first.key !== second.key ? (
        <>
          {site.exported === undefined && (
            <p>
              <a class="button" href={hrefOf({ page: whyPage, query: whyQuery(query) })}>
                {whyTexts().link}
              </a>{' '}
              <a class="button" href={hrefOf({ page: 'grid', query: gridQuery([first.key, second.key], query.dataset) })}>
                {headerTexts().page.grid}
              </a>
            </p>
          )}
          <Compared key={`${first.path} ${second.path}`} {...{ site, route, first, second }} />
        </>
      ) : (
        <p class="quiet">{ui.chooseSides}</p>
      )}
    </div>
  )
}

/** The same sides, and the chosen model and dataset. */
function whyQuery({ first = '', second = '', dataset, model, format }: Route['query']): Record<string, string> {
  return { first, second, a: dataset === undefined || model === undefined ? '' : pairText({ model, format, dataset }) }
}

/** The further sides in the address. */
function othersIn(text = '[]'): string[] {
  try {
    const keys: unknown = JSON.parse(text)
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

function RunDamage({ site, run }: { site: Site; run: number }) {
  const state = useLoad((signal) => loadState(run, signal), [run])
  return <DamageNotice run={site.runs[run]!} damage={state.value?.damage} isNamed />
}

function Compared({ site, route, first, second }: { site: Site; route: Route; first: Side; second: Side }) {
  const change = useQuery(route)
  const { query } = route
  const loaded = useLoad((signal) => loadComparison(first.path, second.path, signal), [first.path, second.path])
  const ui = compareTexts()
  if (loaded.error && site.exported !== undefined) return <p class="empty">{ui.notExported}</p>
  if (loaded.error) return <ErrorBox error={loaded.error} />
  if (!loaded.value) return <p class="empty">{partTexts().loading}</p>
  const { pairs, onlyInFirst, onlyInSecond } = loaded.value
  const runs = [...new Set([first.run, second.run])]
  const chosen = pairs.find(
    ({ comparison: { dataset, models, formats } }) =>
      dataset === query.dataset &&
      (query.model === undefined || (models[0] === query.model && (query.format === undefined || formats?.[0] === query.format))),
  )
  return (
    <>
      {runs.map((run) => (
        <RunDamage key={run} site={site} run={run} />
      ))}
      {pairs.length === 0 && <p class="empty">{ui.nothing}</p>}
      {onlyInFirst.length > 0 && <p class="quiet">{visibleText(ui.onlyIn(first.name, onlyInFirst.join(', ')), false)}</p>}
      {onlyInSecond.length > 0 && <p class="quiet">{visibleText(ui.onlyIn(second.name, onlyInSecond.join(', ')), false)}</p>}
      {pairs.length > 0 && (
        <ComparedTable
          {...{ site, first, second, chosen }}
          pairs={chosen ? [chosen] : pairs}
          onChoose={({ comparison: { dataset, models, formats } }, where) =>
            change({ dataset, model: models[0], format: formats?.[0], row: undefined, by: where?.by, value: where?.value })
          }
        />
      )}
      {chosen && pairs.length > 1 && (
        <p class="back-to-all">
          <button
            type="button"
            class="link"
            onClick={() => change({ dataset: undefined, model: undefined, format: undefined, row: undefined })}
          >
            ← {ui.allDatasets}
          </button>
        </p>
      )}
      {chosen && <ComparedRows key={`${chosen.first} ${chosen.second}`} {...{ site, route, first, second, pair: chosen }} />}
    </>
  )
}
