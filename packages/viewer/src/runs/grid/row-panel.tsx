import { useMemo } from 'preact/hooks'
import type { GridCell, GridPart } from 'rolecall/internal/server/viewer/grid/grid-table'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadRow } from '../../data/load.ts'
import { loadExtracted, loadRecordText, readRecord } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { ErrorBox } from '../../parts/error-box.tsx'
import { Guarded } from '../../parts/guarded.tsx'
import { lazy } from '../../parts/lazy.tsx'
import { Tabs, tabOf } from '../../parts/tabs.tsx'
import { useSettings } from '../../prompt/use-settings.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { hrefOf, type Route, useQuery } from '../../route.ts'
import { gridTexts } from '../../texts/grid.ts'
import { partTexts } from '../../texts/parts.ts'
import { rowTexts } from '../../texts/row.ts'
import { AnnotationBar } from '../review/annotation-bar.tsx'
import type { Annotations } from '../review/use-annotations.ts'
import { AnswerOwner } from '../row/answer.tsx'
import { AnswerTab } from '../row/answer-tab.tsx'
import { askedOf } from '../row/asked.tsx'
import { LabButton } from '../row/lab-button.tsx'
import { RecordTab } from '../row/record-tab.tsx'
import { VerdictMark } from '../verdict-mark.tsx'
import { ColumnBadge } from './column-badge.tsx'
import { ExcludeButton } from './exclude-button.tsx'
import type { GridColumn } from './grid-columns.ts'
import { ScoringLine } from './scoring-line.tsx'

// Loaded on demand: rendering prompts needs most of the library.
const PromptTab = lazy(async () => (await import('../row/prompt-tab.tsx')).PromptTab)
const JudgeView = lazy(async () => (await import('../row/judge-view.tsx')).JudgeView)
const DiffTab = lazy(async () => (await import('./diff-tab.tsx')).DiffTab)

const tabs = ['answer', 'prompt', 'diff', 'judge', 'record'] as const
const panel = 'row-panel'

/** A column's answer to the row. */
export type PanelCell = { column: GridColumn; cell: GridCell; place: number; annotations: Annotations }

type RowPanelProps = {
  site: Site
  part: GridPart
  index: number
  /** The columns that have the row. */
  cells: readonly PanelCell[]
  hasSeveral: boolean
  route: Route
  /** Its position among the rows shown. */
  position: { at: number; of: number } | undefined
  onStep: (step: 1 | -1) => void
  /** Changes when rows were added or replaced. */
  stamp: string | undefined
}

/** One row: the answers of all columns, their prompts and differences, the judge and the record. */
export function RowPanel({ site, part, index, cells, hasSeveral, route, position, onStep, stamp }: RowPanelProps) {
  const change = useQuery(route)
  // `show` filtered rows in older links.
  const settings = useSettings('prompt')
  const ui = rowTexts()
  const words = gridTexts()
  const id = part.ids[index]!
  const chosen = cells.find(({ column }) => column.letter === route.query.at) ?? cells[0]!
  const { record, row, config, model, dataset, error, isRowLoading } = useRecord(site, chosen, stamp)
  const isJudged = record?.details?.judge_said !== undefined
  const shown = tabs.filter((tab) => (tab !== 'judge' || isJudged) && (tab !== 'diff' || cells.length > 1))
  const tab = shown.find((one) => one === route.query.tab) ?? 'answer'
  const excluded = part.excluded.get(index)
  return (
    <section class="pair-record" aria-label={ui.label}>
      <div class="record">
        <div class="record-head">
          <h2>{ui.title(id)}</h2>
          {!hasSeveral && record && (
            <VerdictMark score={record.score} outcome={record.outcome} failed={record.error !== undefined} figure={chosen.cell.metric} />
          )}
          {position && <span class="quiet">{ui.position(position.at, position.of)}</span>}
          <button type="button" aria-label={ui.before} title={ui.before} onClick={() => onStep(-1)}>
            ↑
          </button>
          <button type="button" aria-label={ui.next} title={ui.next} onClick={() => onStep(1)}>
            ↓
          </button>
          <span class="spread" />
          {model && dataset && row && !site.isOneFile && <LabButton model={model.config} dataset={dataset.config} row={row} />}
          {model && dataset && config && !site.shared && (
            <a
              class="button"
              href={hrefOf({
                page: 'side-by-side',
                query: { config: config.name, dataset: dataset.name, row: String(id), left: model.name },
              })}
            >
              {ui.sideBySide}
            </a>
          )}
          <ExcludeButton row={chosen.cell.table.ids[chosen.place]!} annotations={chosen.annotations} excluded={excluded} />
          <CopyButton text={() => location.href}>{partTexts().copyLink}</CopyButton>
          <button type="button" aria-label={ui.close} title={ui.close} onClick={() => change({ row: undefined, of: undefined })}>
            ✕
          </button>
        </div>
        {excluded !== undefined && <p class="excluded-note">⊘ {visibleText(words.excludedBecause(excluded), false)}</p>}
        <AnnotationBar row={chosen.cell.table.ids[chosen.place]!} annotations={chosen.annotations} />
        <Tabs
          class="tabs"
          label={ui.tabsLabel}
          panel={panel}
          names={shown.map((one) => words.tabs[one])}
          chosen={shown.indexOf(tab)}
          onChoose={(place) => change({ tab: shown[place] === 'answer' ? undefined : shown[place] }, { replace: true })}
        />
        <div role="tabpanel" id={panel} aria-labelledby={tabOf(panel, shown.indexOf(tab))}>
          {error && <ErrorBox error={error} />}
          {cells.length > 1 && tab !== 'answer' && tab !== 'diff' && (
            <ColumnChoice cells={cells} chosen={chosen} onChoose={(letter) => change({ at: letter }, { replace: true })} />
          )}
          <Guarded place={words.tabs[tab]} retryOn={`${part.data} ${id} ${tab}`}>
            {tab === 'answer' &&
              cells.map((cell, number) => (
                <ColumnAnswer key={`${cell.column.letter} ${id}`} {...{ site, cell, hasSeveral, route, stamp }} isFirst={number === 0} />
              ))}
            {tab === 'prompt' && record && (
              <PromptTab
                key={`${chosen.column.letter} ${record.id}`}
                {...{ model, dataset: dataset?.config, row, record, settings }}
                isLoading={isRowLoading}
              />
            )}
            {tab === 'diff' && <DiffTab key={id} {...{ site, cells, route }} />}
            {tab === 'judge' && record && <JudgeView dataset={dataset?.config} row={row?.row} record={record} settings={settings} />}
            {tab === 'record' && record && <RecordTab record={record} />}
          </Guarded>
        </div>
      </div>
    </section>
  )
}

/** The record of a column's row, and what it was made from. */
function useRecord(site: Site, { cell, place, column }: PanelCell, stamp: string | undefined) {
  const { run, pair } = cell
  const text = useLoad((signal) => loadRecordText(site, run, pair, place, signal), [run, pair, place, stamp])
  // While a run adds other rows, this one is loaded again but not rendered again.
  const record = useMemo(() => (text.value === undefined ? undefined : readRecord(text.value)), [text.value])
  const { config: number, pairs } = site.runs[run]!
  const config = site.configs[number]
  const { modelIndex, datasetIndex } = pairs[pair]!
  const row = useLoad(
    async (signal) => (datasetIndex < 0 || !record ? undefined : await loadRow(site, number, datasetIndex, record.id, signal)),
    [number, datasetIndex, record?.id],
  )
  return {
    record,
    column,
    config,
    model: config?.models[modelIndex],
    dataset: config?.datasets[datasetIndex],
    // While the next row loads, the previous one does not match this record.
    row: row.isLoading ? undefined : row.value,
    isRowLoading: row.isLoading,
    error: text.error ?? row.error,
  }
}

type ColumnAnswerProps = Pick<RowPanelProps, 'site' | 'hasSeveral' | 'route' | 'stamp'> & { cell: PanelCell; isFirst: boolean }

/** The answer of a column: how it was scored in a sentence, and the reply with what was extracted marked. */
function ColumnAnswer({ site, cell, hasSeveral, route, stamp, isFirst }: ColumnAnswerProps) {
  const { record, row, dataset, model, error } = useRecord(site, cell, stamp)
  const { run, pair, metric } = cell.cell
  // Rows are shown without marks if this fails.
  const extracted = useLoad(
    async (signal) => (record ? await loadExtracted(site, run, pair, cell.place, signal) : undefined),
    [run, pair, record],
  )
  if (!record) return error && !isFirst ? <ErrorBox error={error} /> : null
  const { letter } = cell.column
  const content = (
    <>
      <ScoringLine record={record} dataset={dataset?.config} model={model?.config} metric={metric} />
      <AnswerTab
        extracted={extracted.isLoading ? undefined : extracted.value}
        record={record}
        isSampled={(dataset?.config.n ?? 1) > 1}
        // Every column was asked the same.
        asked={isFirst && row && dataset ? askedOf(row.row, dataset.config) : []}
        tokensHref={hrefOf({
          page: route.page,
          query: { ...route.query, tab: 'prompt', prompt: 'tokens', ...(hasSeveral ? { at: letter } : {}) },
        })}
      />
    </>
  )
  if (!hasSeveral) return content
  const name = `${cell.column.title} ${cell.column.about}`
  return (
    <section class="column-answer" aria-label={gridTexts().columnOf(letter, name)}>
      <h3 class="column-name">
        <ColumnBadge letter={letter} /> {visibleText(cell.column.title, false)}{' '}
        <small class="quiet">{visibleText(cell.column.about, false)}</small>
        <VerdictMark score={record.score} outcome={record.outcome} failed={record.error !== undefined} figure={metric} />
      </h3>
      <AnswerOwner.Provider value={letter}>{content}</AnswerOwner.Provider>
    </section>
  )
}

type ColumnChoiceProps = { cells: readonly PanelCell[]; chosen: PanelCell; onChoose: (letter: string) => void }

function ColumnChoice({ cells, chosen, onChoose }: ColumnChoiceProps) {
  return (
    <fieldset class="column-choice">
      <legend class="quiet">{gridTexts().chooseColumn}</legend>
      {cells.map((cell) => (
        <button
          key={cell.column.letter}
          type="button"
          aria-pressed={cell === chosen}
          title={`${cell.column.title} ${cell.column.about}`}
          onClick={() => onChoose(cell.column.letter)}
        >
          <ColumnBadge letter={cell.column.letter} /> {visibleText(cell.column.title, false)}
        </button>
      ))}
    </fieldset>
  )
}
