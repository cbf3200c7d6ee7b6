import type { MainMetric } from 'rolecall/internal/evaluation/run/record/main-metric'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadRow } from '../../data/load.ts'
import { useLoad } from '../../data/use-load.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { ErrorBox } from '../../parts/error-box.tsx'
import { Guarded } from '../../parts/guarded.tsx'
import { lazy } from '../../parts/lazy.tsx'
import { Tabs, tabOf } from '../../parts/tabs.tsx'
import { useSettings } from '../../prompt/use-settings.ts'
import { hrefOf, type Route, useQuery } from '../../route.ts'
import { partTexts } from '../../texts/parts.ts'
import { rowTexts } from '../../texts/row.ts'
import { AnnotationBar } from '../review/annotation-bar.tsx'
import type { Annotations } from '../review/use-annotations.ts'
import { VerdictMark } from '../verdict-mark.tsx'
import { AnswerTab } from './answer-tab.tsx'
import { askedOf } from './asked.tsx'
import { LabButton } from './lab-button.tsx'
import { RecordTab } from './record-tab.tsx'

// Loaded on demand: rendering prompts needs most of the library.
const PromptTab = lazy(async () => (await import('./prompt-tab.tsx')).PromptTab)
const JudgeView = lazy(async () => (await import('./judge-view.tsx')).JudgeView)

const tabs = ['answer', 'prompt', 'judge', 'record'] as const
const panel = 'row-panel'

export type RowViewProps = {
  site: Site
  /** The indexes of run and pair. */
  number: number
  pair: number
  record: RowRecord
  extracted: Parameters<typeof AnswerTab>[0]['extracted']
  /** The meaning of its scores, if known. */
  figure: MainMetric | undefined
  annotations: Annotations
  route: Route
  /** Its position among the rows shown. */
  position: { at: number; of: number } | undefined
  onStep: (step: 1 | -1) => void
}

/** One row of a run: answer, prompts, judge and record. */
export function RowView({ site, number, pair, record, extracted, figure, annotations, route, position, onStep }: RowViewProps) {
  const change = useQuery(route)
  // `show` filters rows here.
  const settings = useSettings('prompt')
  const run = site.runs[number]!
  const name = run.pairs[pair]!
  const config = site.configs[run.config]!
  const model = config.models[name.modelIndex]
  const dataset = config.datasets[name.datasetIndex]
  const row = useLoad(
    async (signal) => (name.datasetIndex < 0 ? undefined : await loadRow(site, run.config, name.datasetIndex, record.id, signal)),
    [run.config, name, record.id],
  )
  // While the next row loads, the previous one does not match this record.
  const loaded = row.isLoading ? undefined : row.value
  const isJudged = record.details?.judge_said !== undefined
  const shown = tabs.filter((tab) => tab !== 'judge' || isJudged)
  const tab = shown.find((one) => one === route.query.tab) ?? 'answer'
  const ui = rowTexts()
  return (
    <div class="record">
      <div class="record-head">
        <h2>{ui.title(record.id)}</h2>
        <VerdictMark score={record.score} outcome={record.outcome} failed={record.error !== undefined} figure={figure} />
        {position && <span class="quiet">{ui.position(position.at, position.of)}</span>}
        <button type="button" aria-label={ui.before} title={ui.before} onClick={() => onStep(-1)}>
          ↑
        </button>
        <button type="button" aria-label={ui.next} title={ui.next} onClick={() => onStep(1)}>
          ↓
        </button>
        <span class="spread" />
        {model && dataset && loaded && !site.isOneFile && <LabButton model={model.config} dataset={dataset.config} row={loaded} />}
        {model && dataset && !site.shared && (
          <a
            class="button"
            href={hrefOf({
              page: 'side-by-side',
              query: { config: config.name, dataset: dataset.name, row: String(record.id), left: model.name },
            })}
          >
            {ui.sideBySide}
          </a>
        )}
        <CopyButton text={() => location.href}>{partTexts().copyLink}</CopyButton>
        <button type="button" aria-label={ui.close} title={ui.close} onClick={() => change({ row: undefined })}>
          ✕
        </button>
      </div>
      <AnnotationBar row={record.id} annotations={annotations} />
      <Tabs
        class="tabs"
        label={ui.tabsLabel}
        panel={panel}
        names={shown.map((one) => ui.tabs[one])}
        chosen={shown.indexOf(tab)}
        onChoose={(index) => change({ tab: shown[index] === 'answer' ? undefined : shown[index] }, { replace: true })}
      />
      <div role="tabpanel" id={panel} aria-labelledby={tabOf(panel, shown.indexOf(tab))}>
        {row.error && <ErrorBox error={row.error} />}
        <Guarded place={ui.tabs[tab]} retryOn={`${record.id} ${tab}`}>
          {tab === 'answer' && (
            <AnswerTab
              extracted={extracted}
              key={record.id}
              record={record}
              isSampled={(dataset?.config.n ?? 1) > 1}
              asked={loaded && dataset ? askedOf(loaded.row, dataset.config) : []}
              tokensHref={hrefOf({ page: route.page, query: { ...route.query, tab: 'prompt', prompt: 'tokens' } })}
            />
          )}
          {tab === 'prompt' && (
            <PromptTab key={record.id} {...{ model, dataset: dataset?.config, row: loaded, record, settings }} isLoading={row.isLoading} />
          )}
          {tab === 'judge' && <JudgeView dataset={dataset?.config} row={loaded?.row} record={record} settings={settings} />}
          {tab === 'record' && <RecordTab record={record} />}
        </Guarded>
      </div>
    </div>
  )
}
