import { hasEnded } from 'rolecall/internal/server/viewer/run-ended'
import type { LiveProgress, RunSite, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { ErrorBox } from '../parts/error-box.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { visibleText } from '../prompt/visible-text.tsx'
import { hrefOf, type Route } from '../route.ts'
import { ControlBar } from '../runs/control/control-bar.tsx'
import { DamageNotice } from '../runs/damage-notice.tsx'
import { HomePage } from '../runs/home/home-page.tsx'
import { findPair, findRun, runKey } from '../runs/links.ts'
import { RowsPage } from '../runs/rows/rows-page.tsx'
import { RunPage } from '../runs/run/run-page.tsx'
import { useRunState } from '../runs/use-run.ts'
import { headerTexts } from '../texts/header.ts'
import { showDate } from '../texts/numbers.ts'
import { progressText } from '../texts/progress.ts'
import { runTexts } from '../texts/run.ts'

/** All runs, one run, or the rows of a model on a dataset, depending on the link. */
export function RunsPage({ site, route }: { site: Site; route: Route }) {
  const { query } = route
  if (query.run === undefined && site.runs.length + (site.unreadable?.length ?? 0) > 1) return <HomePage site={site} route={route} />
  const number = findRun(site, query.run)
  if (number === undefined) return <Missing text={runTexts().noRun(query.run ?? '')} />
  const pair = findPair(site.runs[number]!, query)
  if (pair === undefined && query.dataset !== undefined)
    return <Missing text={runTexts().noPair(query.model ?? '', query.dataset)} run={runKey(site, number)} />
  return <OneRun key={number} {...{ site, number, pair, route }} />
}

function OneRun({ site, number, pair, route }: { site: Site; number: number; pair: number | undefined; route: Route }) {
  const { state, error } = useRunState(number)
  const run = site.runs[number]!
  const ui = runTexts()
  const key = runKey(site, number)
  return (
    <div class="runs-page">
      <div class="run-head">
        <nav class="crumbs" aria-label={ui.where}>
          {site.runs.length > 1 && <a href={hrefOf({ page: 'runs', query: {} })}>{ui.allRuns}</a>}
          {pair === undefined ? null : <a href={hrefOf({ page: 'runs', query: { run: key } })}>{visibleText(run.name, false)}</a>}
        </nav>
        {pair === undefined && <h1>{visibleText(run.name, false)}</h1>}
        {!site.shared && (
          <a class="button" href={hrefOf({ page: 'grid', query: { run: key } })}>
            {headerTexts().page.grid}
          </a>
        )}
        <p class="quiet">
          {pair === undefined && ui.scope(numberOf(run, 'model'), numberOf(run, 'format'), numberOf(run, 'dataset'))}
          {showDate(run.started)}
          {run.harness === undefined
            ? state?.summary && ui.took(state.summary.seconds, state.summary.version)
            : visibleText(ui.readFrom(run.harness), false)}
          {pair === undefined && <span class="place"> · {visibleText(run.place, false)}</span>}
        </p>
        {state?.isLive && <span class="live">{ui.live}</span>}
        {state?.progress && <Progress {...state.progress} />}
        {state && !state.isLive && !hasEnded(state) && <span class="live ended">{ui.unfinished}</span>}
      </div>
      {site.hasControl && state?.isLive && <ControlBar site={site} run={number} />}
      {error && <ErrorBox error={error} />}
      <DamageNotice run={run} damage={state?.damage} />
      {pair === undefined ? (
        state ? (
          <RunPage site={site} number={number} state={state} route={route} />
        ) : (
          !error && <Skeleton lines={6} />
        )
      ) : (
        <RowsPage key={`${number} ${pair}`} {...{ site, number, pair, state, route }} />
      )}
    </div>
  )
}

function numberOf({ pairs }: RunSite, what: 'model' | 'format' | 'dataset'): number {
  return new Set(pairs.flatMap((pair) => pair[what] ?? [])).size
}

function Progress(progress: LiveProgress) {
  const { rows, all } = progress
  return (
    <span class="run-progress" role="status">
      {all !== undefined && <progress max={all} value={rows} aria-label={runTexts().live} />} {progressText(progress)}
    </span>
  )
}

/** The notice for a link to something that does not exist. */
function Missing({ text, run }: { text: string; run?: string }) {
  return (
    <div class="empty">
      <p>{visibleText(text, false)}</p>
      <p>
        <a href={hrefOf({ page: 'runs', query: run === undefined ? {} : { run } })}>{run ?? runTexts().allRuns}</a>
      </p>
    </div>
  )
}
