import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { distinctModels, isSameModel } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { RunLine, RunSite, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { siteChanged } from '../../data/load.ts'
import { loadRunLines } from '../../data/runs.ts'
import { Choice } from '../../parts/choice.tsx'
import { ErrorBox } from '../../parts/error-box.tsx'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { go, hrefOf, type Route, useQuery } from '../../route.ts'
import { headerTexts } from '../../texts/header.ts'
import { homeTexts } from '../../texts/home.ts'
import { metricName } from '../../texts/metric-names.ts'
import { modelName } from '../../texts/model-name.ts'
import { showDate, showNumber } from '../../texts/numbers.ts'
import { remarkTexts } from '../../texts/remarks.ts'
import { withUnit } from '../../texts/units.ts'
import { damageSummary } from '../damage-notice.tsx'
import { figureText } from '../figure-text.ts'
import { runKey } from '../links.ts'
import { groupings, groupRuns } from './group-runs.ts'
import { Trends } from './trends.tsx'

const lookAgainAfter = 2000

/** All runs, one per line: search, select some, compare. New runs and progress appear automatically. */
export function HomePage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const ui = homeTexts()
  const { lines, error } = useRunLines(site)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const wanted = (route.query.text ?? '').toLowerCase()
  const by = groupings.find((one) => one === route.query.by)
  const trend = by === 'dataset' || by === 'model' ? by : undefined
  // Scores over time are of whole datasets or models: runs with problems are listed below them.
  const isListed = (line: RunLine | undefined) => !trend || (line && line.state !== 'done') || line?.damage || line?.failed
  const all = site.runs.map((run, number) => ({ run, number, key: runKey(site, number), line: lines[number] }))
  const shown = all
    .filter(({ run, key }) =>
      [key, ...run.pairs.flatMap((pair) => [modelName(pair), pair.dataset])].some((text) => text.toLowerCase().includes(wanted)),
    )
    .sort((one, other) => (one.run.started < other.run.started ? 1 : -1))
  const listed = shown.filter(({ line }) => isListed(line))
  const compare = () => {
    // The older run comes first, so that differences show what changed since.
    const [first, second, ...others] = all
      .filter(({ key }) => chosen.includes(key))
      .sort((one, other) => (one.run.started < other.run.started ? -1 : 1))
      .map(({ key }) => key)
    if (first === undefined || second === undefined) return
    go({ page: 'compare', query: { first, second, ...(others.length > 0 ? { others: JSON.stringify(others) } : {}) } })
  }
  return (
    <div class="runs-page">
      <h1>{ui.title}</h1>
      <p class="quiet">{ui.about}</p>
      <div class="home-bar">
        <input
          type="search"
          aria-label={ui.search}
          placeholder={ui.searchHint}
          value={route.query.text ?? ''}
          onInput={(event) => change({ text: event.currentTarget.value || undefined }, { replace: true })}
        />
        <button
          type="button"
          class="primary"
          disabled={chosen.length < 2}
          title={chosen.length < 2 ? ui.chooseTwo : undefined}
          onClick={compare}
        >
          {ui.compare}
        </button>
        <div class="filter-choices">
          <Choice
            label={ui.groupBy}
            value={by ?? ''}
            options={[['', ui.ungrouped], ...groupings.map((one) => [one, ui.groupings[one]] as const)]}
            onChange={(value) => change({ by: value || undefined })}
          />
        </div>
        <span class="quiet" role="status">
          {ui.shown(shown.length, all.length)}
        </span>
      </div>
      {error && <ErrorBox error={error} />}
      {trend && <Trends site={site} lines={lines} by={trend} isShown={(run) => shown.some(({ number }) => number === run)} />}
      {trend && listed.length + (site.unreadable?.length ?? 0) > 0 && <h2>{ui.problems}</h2>}
      {(!trend || listed.length + (site.unreadable?.length ?? 0) > 0) && (
        <FigureTable
          label={trend ? ui.problems : ui.title}
          names={[undefined, ui.run, ui.started, ui.models, ui.state, ui.rows, ui.figures]}
          class="home"
        >
          {groupRuns(listed, by).map(({ name, runs }) => (
            <Fragment key={name ?? ''}>
              {name !== undefined && (
                <tr class="group-line">
                  <th scope="rowgroup" colSpan={7}>
                    {visibleText(name, false)} <small>{groupText(runs)}</small>
                  </th>
                </tr>
              )}
              {runs.map(({ run, key, line }) => (
                <tr key={key}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={ui.choose(key)}
                      checked={chosen.includes(key)}
                      onChange={() => setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])}
                    />
                  </td>
                  <th scope="row">
                    <a href={hrefOf({ page: 'runs', query: { run: key } })}>{visibleText(run.name, false)}</a>{' '}
                    <small>{visibleText(run.harness === undefined ? run.place : `${run.harness} · ${run.place}`, false)}</small>
                  </th>
                  <td>{showDate(run.started)}</td>
                  <td class="names">{visibleText(modelsText(run), false)}</td>
                  <td>
                    {line && (
                      <span class={`state is-${line.state}`} title={line.error?.where}>
                        {ui.states[line.state]}
                      </span>
                    )}
                    {line?.failed !== undefined && <small class="damage-summary">{remarkTexts().failedRows(line.failed)}</small>}
                    {line?.damage && <small class="damage-summary">{visibleText(damageSummary(line.damage), false)}</small>}
                    {line?.error && <small lang="en">{visibleText(`${line.error.problem} → ${line.error.fix}`, false)}</small>}
                  </td>
                  <td class="number" data-name={ui.rows}>
                    {line && (line.all === undefined || line.all === line.rows ? showNumber(line.rows) : ui.ofRows(line.rows, line.all))}
                  </td>
                  <td>
                    {line && <Bars run={run} line={line} />}{' '}
                    {line && line.rows > 0 && !site.shared && (
                      <a class="to-grid" href={hrefOf({ page: 'grid', query: { run: key } })} title={ui.toGrid}>
                        {headerTexts().page.grid}
                      </a>
                    )}
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
          {site.unreadable?.map(({ folder, where, problem, fix }) => (
            <tr key={folder}>
              <td />
              <th scope="row" title={folder}>
                {visibleText(folder.split(/[\\/]/).slice(-2).join('/'), false)}
              </th>
              <td colSpan={5}>
                <span class="state is-damaged" title={where}>
                  {ui.states.damaged}
                </span>{' '}
                <small lang="en">{visibleText(`${problem} → ${fix}`, false)}</small>
              </td>
            </tr>
          ))}
        </FigureTable>
      )}
      {shown.length === 0 && <p class="empty">{ui.noneFound(route.query.text ?? '')}</p>}
      {shown.length > 0 && <p class="quiet">{trend ? ui.trendsAbout : ui.barsAbout}</p>}
    </div>
  )
}

/** How many runs, and rows without a score. */
function groupText(runs: readonly { line: RunLine | undefined }[]): string {
  const failed = runs.reduce((sum, { line }) => sum + (line?.failed ?? 0), 0)
  return [homeTexts().shown(runs.length, runs.length), ...(failed > 0 ? [remarkTexts().failedRows(failed)] : [])].join(' · ')
}

/** The models of a run; one that ran in several formats is listed once. */
function modelsText({ pairs }: RunSite): string {
  const models = distinctModels(pairs)
  return [...new Set(models.map(({ model }) => model))]
    .map((name) => {
      const own = models.filter(({ model }) => model === name)
      return own.length === 1 ? modelName(own[0]!) : homeTexts().inFormats(name, own.length)
    })
    .join(', ')
}

const mostBars = 12

/** The main metrics as small bars, one line or more for each model; unbounded quantities as numbers. */
function Bars({ run, line }: { run: RunSite; line: RunLine }) {
  const figures = line.figures.slice(0, mostBars)
  const starts = [...figures.keys()].filter((pair) => pair === 0 || !isSameModel(run.pairs[pair]!, run.pairs[pair - 1]!))
  return (
    <span class="bars">
      {starts.map((start, index) => (
        <span key={start} class="bars-of-model">
          {figures.slice(start, starts[index + 1]).map((figure, place) => (
            <MiniFigure key={start + place} name={run.pairs[start + place]!} {...figure} />
          ))}
        </span>
      ))}
      {line.figures.length > mostBars && <small>{homeTexts().more(line.figures.length - mostBars)}</small>}
    </span>
  )
}

function MiniFigure({ name, label, value }: RunLine['figures'][number] & { name: RunSite['pairs'][number] }) {
  const text = `${modelName(name)} · ${name.dataset}: ${label ? `${metricName(label.metric)} ` : ''}${withUnit(value, label?.unit ?? '')}`
  const share = label?.unit === 'percent' && value !== undefined ? Math.max(0, Math.min(100, value)) : undefined
  return (
    <span class="mini-figure" title={text}>
      <span class={`mini-bar${share === undefined ? ' none' : ''}`} role="img" aria-label={text}>
        {share !== undefined && <span style={{ height: `${share}%` }} />}
      </span>
      <span class="mini-number" aria-hidden="true">
        {figureText(value, label?.unit ?? '')}
      </span>
    </span>
  )
}

/** Polls the state of all runs; a new run reloads the site. */
function useRunLines(site: Site): { lines: readonly RunLine[]; error?: Error } {
  const [shown, setShown] = useState<{ lines: readonly RunLine[]; error?: Error }>({ lines: [] })
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const lines = await loadRunLines(abort.signal)
        setShown({ lines })
        if (lines.length > site.runs.length) siteChanged()
      } catch (error) {
        if (!abort.signal.aborted) setShown(({ lines }) => ({ lines, error: error as Error }))
      }
      // Also after an error: the server may be restarted.
      if (site.exported === undefined && !abort.signal.aborted) timer = setTimeout(look, lookAgainAfter)
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [site])
  return shown
}
