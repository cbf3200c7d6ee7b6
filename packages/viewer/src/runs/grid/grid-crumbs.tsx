import { hasEnded } from 'rolecall/internal/server/viewer/run-ended'
import type { LiveProgress, RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { visibleText } from '../../prompt/visible-text.tsx'
import { hrefOf, type Route } from '../../route.ts'
import { gridTexts } from '../../texts/grid.ts'
import { modelName } from '../../texts/model-name.ts'
import { progressText } from '../../texts/progress.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { runTexts } from '../../texts/run.ts'
import { ControlBar } from '../control/control-bar.tsx'
import { DamageNotice } from '../damage-notice.tsx'
import { runKey } from '../links.ts'
import type { GridAddress } from './grid-address.ts'
import type { GridColumn } from './grid-columns.ts'

type States = ReadonlyMap<number, RunStatus>
type GridCrumbsProps = { site: Site; route: Route; columns: readonly GridColumn[]; address: GridAddress; states: States }

/** Where the page is, in one line: the run, what of it is shown, and whether it is running. */
export function GridCrumbs({ site, route, columns, address, states }: GridCrumbsProps) {
  const ui = runTexts()
  const runs = [...new Set(address.sides.map(({ run }) => run))]
  const [first] = runs
  const pair = address.sides.length === 1 ? address.sides[0]!.pair : undefined
  const run = first === undefined ? undefined : site.runs[first]
  const name = pair === undefined ? undefined : run?.pairs[pair]
  const state = runs.length === 1 && first !== undefined ? states.get(first) : undefined
  return (
    <div class="grid-crumbs">
      <nav class="crumbs" aria-label={ui.where}>
        {site.runs.length > 1 && <a href={hrefOf({ page: 'runs', query: {} })}>{ui.allRuns}</a>}
        {run && runs.length === 1 && !site.shared && (
          <a href={hrefOf({ page: 'runs', query: { run: runKey(site, first!) } })}>{visibleText(run.name, false)}</a>
        )}
        {name && run && site.runs[first!]!.pairs.length > 1 && (
          <a
            href={hrefOf({
              page: 'grid',
              query: { run: runKey(site, first!), data: name.dataset, ...(route.query.row ? { row: route.query.row } : {}) },
            })}
          >
            {gridTexts().wholeRun}
          </a>
        )}
        {runs.length > 1 && <a href={compareHref(site, address)}>{ui.comparison}</a>}
      </nav>
      <h1 class="pair-name">
        {name ? (
          <>
            {visibleText(modelName(name), false)} <span class="quiet">{rowsTexts().on(visibleText(name.dataset, false))}</span>
          </>
        ) : (
          visibleText(address.only ?? (run && runs.length === 1 ? run.name : columns.map(({ title }) => title).join(' · ')), false)
        )}
      </h1>
      {state?.isLive && <span class="live">{ui.live}</span>}
      {state?.progress && <Progress {...state.progress} />}
      {state && !state.isLive && !hasEnded(state) && <span class="live ended">{ui.unfinished}</span>}
    </div>
  )
}

function compareHref(site: Site, { sides }: GridAddress): string {
  const keys = sides.map(({ run }) => runKey(site, run))
  return hrefOf({ page: 'compare', query: { first: keys[0] ?? '', second: keys[1] ?? '' } })
}

function Progress(progress: LiveProgress) {
  const { rows, all } = progress
  return (
    <span class="run-progress" role="status">
      {all !== undefined && <progress max={all} value={rows} aria-label={runTexts().live} />} {progressText(progress)}
    </span>
  )
}

/** Controls of a run in progress, and what is wrong with the files of runs. */
export function RunNotices({ site, runs, states }: { site: Site; runs: readonly number[]; states: States }) {
  return (
    <>
      {runs.map((run) => (
        <div key={run}>
          {site.hasControl && states.get(run)?.isLive && <ControlBar site={site} run={run} />}
          <DamageNotice run={site.runs[run]!} damage={states.get(run)?.damage} isNamed={runs.length > 1} />
        </div>
      ))}
    </>
  )
}
