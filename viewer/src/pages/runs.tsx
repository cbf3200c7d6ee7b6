import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type MainFigure, whyNotCompared } from '../../../src/record/main-figure.ts'
import { modelText } from '../../../src/record/pair-name.ts'
import { gain } from '../../../src/score/evaluate/metric.ts'
import type { RecordLine, RunSite, RunState, Site } from '../../../src/server/viewer/wire.ts'
import { findRows, loadRecord, loadScores, loadState } from '../data/runs.ts'
import { useLoad } from '../data/use-load.ts'
import { Choice } from '../parts/choice.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { isTyping, useSettings } from '../prompt/use-settings.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { type Route, useQuery } from '../route.ts'
import {
  type Compared,
  chooseRows,
  compareScores,
  type Filter,
  filtersFor,
  type Order,
  type Scored,
  scoresById,
} from '../runs/choose-rows.ts'
import { RecordView, Verdict } from '../runs/record-view.tsx'
import { Summary } from '../runs/summary.tsx'
import { useLines, useRunState, useScores } from '../runs/use-run.ts'

/** A run: its figures, its rows, and one row. */
export function RunsPage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const number = Math.max(0, Math.min(Number(route.query.run ?? 0) || 0, site.runs.length - 1))
  const run = site.runs[number]!
  const { state, error } = useRunState(number)
  const given = Number(route.query.pair ?? -1)
  const pair = run.pairs[given] ? given : undefined
  return (
    <div class="runs-page">
      <div class="run-head">
        {site.runs.length > 1 ? (
          <Choice
            label="run"
            value={String(number)}
            options={site.runs.map(({ name, folder }, index) => [String(index), `${name} · ${folder}`])}
            onChange={(value) => change({ run: value, pair: undefined, row: undefined, other: undefined })}
          />
        ) : (
          <h1>{visibleText(run.name, false)}</h1>
        )}
        <p class="quiet">
          {new Date(run.started).toLocaleString()}
          {state?.summary && `, ${state.summary.seconds.toFixed(1)} s, rolecall ${state.summary.version}`}
        </p>
        {state?.isLive && <span class="live">going on</span>}
        {state && !state.isLive && (!state.summary || state.summary.unfinished) && <span class="live ended">not finished</span>}
      </div>
      {error && <ErrorBox error={error} />}
      {state && (
        <details class="summary-box" open={pair === undefined}>
          <summary>figures</summary>
          <Summary run={run} state={state} chosen={pair} onPair={(index) => change({ pair: String(index), row: undefined })} />
        </details>
      )}
      {pair !== undefined && <PairRows key={`${number} ${pair}`} {...{ site, run, number, pair, state, route, change }} />}
    </div>
  )
}

type PairRowsProps = {
  site: Site
  run: RunSite
  number: number
  pair: number
  state: RunState | undefined
  route: Route
  change: ReturnType<typeof useQuery>
}

function PairRows({ site, run, number, pair, state, route, change }: PairRowsProps) {
  const { query } = route
  const { dataset } = run.pairs[pair]!
  const model = modelText(run.pairs[pair]!)
  const settings = useSettings()
  const { column, error } = useScores(number, pair, state?.pairs[pair]?.rows)
  const { line, want } = useLines(number, pair, column)
  const order = (query.order ?? 'number') as Order
  const others = useMemo(() => othersOf(site, number, pair, dataset), [site, number, pair])
  const other = others.find(({ key }) => key === query.other)
  const otherScores = useLoad(async (signal) => (other ? await loadScores(other.run, other.pair, signal) : undefined), [query.other])
  const otherState = useLoad(async (signal) => (other ? await loadState(other.run, signal) : undefined), [query.other])
  const figure = state?.pairs[pair]?.figure
  const otherFigure = other && otherState.value?.pairs[other.pair]?.figure
  // Numbers that mean different things are not better or worse than one another.
  const why = figure && otherFigure && whyNotCompared(figure, otherFigure)
  const otherById = useMemo(
    () => (otherScores.value && otherState.value && why === undefined ? scoresById(otherScores.value) : undefined),
    [otherScores.value, otherState.value, why],
  )
  const filters = filtersFor(column, figure, otherById !== undefined)
  const filter = (filters as readonly string[]).includes(query.show ?? '') ? (query.show as Filter) : 'all'
  const [text, setText] = useState(query.text ?? '')
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => change({ text: text === '' ? undefined : text }, { replace: true }), 250)
    return () => clearTimeout(timer)
  }, [text])
  const found = useLoad(
    async (signal) =>
      query.text && column ? new Set(await findRows(site, number, pair, query.text, column.ids.length, signal)) : undefined,
    [query.text, column],
  )
  const places = useMemo(
    () =>
      column
        ? chooseRows(column, {
            filter,
            order,
            scored: figure,
            found: query.text ? (found.value ?? new Set()) : undefined,
            other: otherById,
          })
        : [],
    [column, filter, order, figure?.kind, figure?.direction, found.value, query.text, otherById],
  )
  const compared = useMemo(
    () => (column && otherById ? compareScores(column, otherById, figure) : undefined),
    [column, otherById, figure?.kind, figure?.direction],
  )
  const selected = query.row === undefined || !column ? undefined : placeOf(column.ids, Number(query.row))
  const at = selected === undefined ? -1 : places.indexOf(selected)
  const select = (index: number) => {
    const place = places[index]
    if (place !== undefined && column) change({ row: String(column.ids[place]) }, { replace: query.row !== undefined })
  }
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === '/' && !isTyping(event)) {
        event.preventDefault()
        search.current?.focus()
      }
      if (isTyping(event)) return
      if (event.key === 'j') select(Math.min(places.length - 1, at + 1))
      if (event.key === 'k') select(Math.max(0, at - 1))
      if (event.key === 'Escape') change({ row: undefined })
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [places, at])
  const isMixed = site.runs[number]!.pairs.length > 0
  return (
    <div class={`pair${selected === undefined ? '' : ' with-record'}`}>
      <section class="pair-list" aria-label={`rows of ${model} on ${dataset}`}>
        <header>
          <h2>
            {visibleText(model, false)} <span class="quiet">on {visibleText(dataset, false)}</span>
          </h2>
          <div class="filters">
            <input
              ref={search}
              type="search"
              aria-label="search rows"
              placeholder="search (/)"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <div class="filter-buttons">
              {filters.map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={filter === one}
                  onClick={() => change({ show: one === 'all' ? undefined : one })}
                >
                  {one.replace('-', ' ')}
                </button>
              ))}
            </div>
            <div class="two">
              <Choice
                label="order"
                value={order}
                options={[
                  ['number', 'row number'],
                  ['lowest', 'lowest score first'],
                  ['highest', 'highest score first'],
                ]}
                onChange={(value) => change({ order: value === 'number' ? undefined : value })}
              />
              {isMixed && (
                <Choice
                  label="compare with"
                  value={query.other ?? ''}
                  options={[['', 'nothing'], ...others.map(({ key, name }) => [key, name] as const)]}
                  onChange={(value) => change({ other: value || undefined, show: undefined })}
                />
              )}
            </div>
            {compared && other && <ComparedLine compared={compared} name={other.name} />}
            {why !== undefined && other && (
              <p class="compared">
                not compared with {visibleText(other.name, false)}: {visibleText(why, false)}
              </p>
            )}
            <p class="quiet" role="status" data-testid="row-count">
              {found.isLoading && query.text
                ? 'searching…'
                : `${places.length.toLocaleString('en')} of ${(column?.ids.length ?? 0).toLocaleString('en')} rows`}
            </p>
          </div>
        </header>
        {error && <ErrorBox error={error} />}
        <VirtualList
          id="record"
          of={places}
          label="rows of the run"
          count={places.length}
          height={52}
          selected={at < 0 ? undefined : at}
          onSelect={select}
          onSeen={(first, last) => want(places.slice(first, last + 1))}
          line={(index) => {
            const place = places[index]!
            return <Line line={line(place)} id={column!.ids[place]!} before={otherById?.get(column!.ids[place]!)} figure={figure} />
          }}
        />
      </section>
      {selected !== undefined && (
        <Selected
          {...{ site, run, number, pair, place: selected, figure, settings, other, otherFigure }}
          onClose={() => change({ row: undefined })}
        />
      )}
    </div>
  )
}

type LineProps = { line: RecordLine | undefined; id: number; before: number | undefined; figure: MainFigure | undefined }

function Line({ line, id, before, figure }: LineProps) {
  if (!line) return <span class="line-number">{id}</span>
  const change = before === undefined || line.score === undefined ? '' : changeText(before, line.score, figure)
  return (
    <>
      <span class="line-number">{id}</span>
      <span class="line-body">
        <span class="line-text">{visibleText(line.asked ?? '', false)}</span>
        <span class="line-second">
          <Verdict score={line.score} outcome={line.outcome} failed={line.error !== undefined} figure={figure} />
          {change && <span class="flipped">{change}</span>}
          <span class="line-text said">{visibleText(line.error ?? line.prediction, false)}</span>
        </span>
      </span>
    </>
  )
}

/** ▲ for better, ▼ for worse, whichever way the figure goes. */
function changeText(before: number, now: number, scored: Scored): string {
  if (before === now) return ''
  if (!scored) return '≠'
  return gain(before, now, scored.direction) > 0 ? '▲' : '▼'
}

function ComparedLine({ compared, name }: { compared: Compared; name: string }) {
  const { better, worse, rows, difference, interval, mcnemar } = compared
  const sign = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
  return (
    <p class="compared">
      against {visibleText(name, false)}:{' '}
      {better !== undefined && (
        <>
          <b class="good">▲ {better}</b> <b class="bad">▼ {worse}</b> of{' '}
        </>
      )}
      {rows.toLocaleString('en')} rows, {sign(difference)}
      {interval && ` [${sign(interval.low)}, ${sign(interval.high)}]`}
      {mcnemar && `, McNemar p ${mcnemar.p < 0.001 ? '< 0.001' : mcnemar.p.toFixed(3)}`}
    </p>
  )
}

type SelectedProps = {
  site: Site
  run: RunSite
  number: number
  pair: number
  place: number
  figure: MainFigure | undefined
  settings: ReturnType<typeof useSettings>
  other: Other | undefined
  otherFigure: MainFigure | undefined
  onClose: () => void
}

function Selected({ site, run, number, pair, place, figure, settings, other, otherFigure, onClose }: SelectedProps) {
  const record = useLoad((signal) => loadRecord(site, number, pair, place, signal), [number, pair, place])
  const id = record.value?.id
  const against = useLoad(async () => {
    if (!other || id === undefined) return undefined
    const { ids } = await loadScores(other.run, other.pair)
    const found = placeOf(ids, id)
    return found === undefined ? undefined : { name: other.name, record: await loadRecord(site, other.run, other.pair, found) }
  }, [other, id])
  return (
    <section class="pair-record" aria-label="row">
      <div class="record-head">
        <h2>row {id ?? '…'}</h2>
        <span class="quiet">
          <kbd>j</kbd> <kbd>k</kbd> next, before
        </span>
        <span class="spread" />
        <button type="button" onClick={onClose}>
          close
        </button>
      </div>
      {record.error && <ErrorBox error={record.error} />}
      {record.value && (
        <RecordView
          site={site}
          config={run.config}
          pair={run.pairs[pair]!}
          record={record.value}
          figure={figure}
          settings={settings}
          other={against.value && { ...against.value, figure: otherFigure }}
        />
      )}
    </section>
  )
}

type Other = { key: string; name: string; run: number; pair: number }

/** What a pair can be compared with: the same dataset in other runs, and by other models. */
function othersOf(site: Site, number: number, pair: number, dataset: string): Other[] {
  return site.runs.flatMap((run, index) =>
    run.pairs.flatMap((one, at) =>
      one.dataset === dataset && !(index === number && at === pair)
        ? [
            {
              key: `${index}.${at}`,
              name: index === number ? modelText(one) : `${modelText(one)} · ${run.name} · ${run.folder}`,
              run: index,
              pair: at,
            },
          ]
        : [],
    ),
  )
}

/** Numbers come in order. */
function placeOf(ids: readonly number[], id: number): number | undefined {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? low : undefined
}
