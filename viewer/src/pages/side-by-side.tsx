import { useMemo } from 'preact/hooks'
import { modeOf } from '../../../src/ask/row-prompts.ts'
import type { ConfigSite, ModelSite, Site } from '../../../src/server/viewer/wire.ts'
import { loadRow } from '../data/load.ts'
import { useLoad } from '../data/use-load.ts'
import { Choice } from '../parts/choice.tsx'
import { DatasetChoices } from '../parts/dataset-choices.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { Account } from '../prompt/account.tsx'
import { chosenModel, formatNames } from '../prompt/chosen-model.ts'
import { type Prompts, usePrompts } from '../prompt/use-prompts.ts'
import { useSettings } from '../prompt/use-settings.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { type Route, useQuery } from '../route.ts'
import { alignTurns, differences, turnsOf } from '../side/align.ts'
import { MarkedTurn } from '../side/marked-turn.tsx'
import { partWords } from '../words/parts.ts'
import { sideWords } from '../words/side-by-side.ts'

/** The same row for two models or formats, turn by turn, with what differs marked. */
export function SideBySidePage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const [words, parts] = [sideWords(), partWords()]
  const { query } = route
  const number = Math.max(0, Math.min(Number(query.config ?? 0) || 0, site.configs.length - 1))
  const config = site.configs[number]!
  const datasetIndex = Math.max(
    0,
    config.datasets.findIndex(({ name }) => name === query.dataset),
  )
  const dataset = config.datasets[datasetIndex]
  const row = Math.max(0, Number(query.row ?? 0) || 0)
  const settings = useSettings()
  const left = useMemo(() => chosenModel(config, query.left, query.leftFormat), [config, query.left, query.leftFormat])
  const second = query.right ?? config.models[Math.min(1, config.models.length - 1)]?.name
  const rightFormat = query.rightFormat ?? (config.models.length === 1 ? 'chatml' : undefined)
  const right = useMemo(() => chosenModel(config, second, rightFormat), [config, second, rightFormat])
  const loaded = useLoad(
    async (signal) => (dataset ? await loadRow(site, number, datasetIndex, row, signal) : undefined),
    [number, datasetIndex, row],
  )
  const mode = query.mode === 'gen' || query.mode === 'ppl' ? query.mode : undefined
  const asked: Pick<Parameters<typeof usePrompts>[0], 'dataset' | 'mode' | 'row'> = {
    dataset: dataset?.config ?? { infer_cfg: {} },
    mode,
    row: loaded.value,
  }
  const one = usePrompts({ ...asked, model: left?.config ?? {}, tokenizer: left?.tokenizer })
  const other = usePrompts({ ...asked, model: right?.config ?? {}, tokenizer: right?.tokenizer })
  if (!dataset || !left || !right) return <p class="empty">{words.nothingToCompare}</p>
  return (
    <div class="side-page">
      <div class="play-bar">
        <DatasetChoices
          site={site}
          config={number}
          dataset={dataset.name}
          onConfig={(value) => change({ config: value, dataset: undefined, left: undefined, right: undefined })}
          onDataset={(value) => change({ dataset: value, row: undefined })}
        />
        <label class="choice narrow">
          <span>{words.row}</span>
          <input
            type="text"
            inputMode="numeric"
            value={String(row)}
            onChange={(event) => change({ row: String(Math.max(0, Number.parseInt(event.currentTarget.value, 10) || 0)) })}
          />
        </label>
        <Choice
          label={parts.mode}
          value={mode ?? modeOf(dataset.config)}
          options={[
            ['gen', parts.generation],
            ['ppl', parts.perplexity],
          ]}
          onChange={(value) => change({ mode: value === modeOf(dataset.config) ? undefined : value })}
        />
        <Toggle on={settings.whitespace} onChange={settings.setWhitespace} hint="w">
          {parts.whitespace}
        </Toggle>
      </div>
      <div class="side-heads">
        <Side
          config={config}
          model={left}
          format={query.leftFormat}
          onModel={(value) => change({ left: value })}
          onFormat={(value) => change({ leftFormat: value })}
          label={words.left}
        />
        <Side
          config={config}
          model={right}
          format={rightFormat}
          onModel={(value) => change({ right: value })}
          onFormat={(value) => change({ rightFormat: value })}
          label={words.right}
        />
      </div>
      {loaded.error && <ErrorBox error={loaded.error} />}
      <Compared
        left={one}
        right={other}
        label={Number(query.label ?? 0) || 0}
        onLabel={(label) => change({ label: String(label) }, { replace: true })}
        showWhitespace={settings.whitespace}
      />
    </div>
  )
}

type SideProps = {
  config: ConfigSite
  model: ModelSite
  format: string | undefined
  onModel: (name: string) => void
  onFormat: (format: string | undefined) => void
  label: string
}

function Side({ config, model, format, onModel, onFormat, label }: SideProps) {
  return (
    <div class="two">
      <Choice label={label} value={model.name} options={config.models.map(({ name }) => [name, name])} onChange={onModel} />
      <Choice
        label={partWords().format}
        value={format ?? ''}
        options={[['', partWords().ownFormat], ...formatNames]}
        onChange={(value) => onFormat(value || undefined)}
      />
    </div>
  )
}

type ComparedProps = {
  left: Prompts | undefined
  right: Prompts | undefined
  label: number
  onLabel: (label: number) => void
  showWhitespace: boolean
}

function Compared({ left, right, label, onLabel, showWhitespace }: ComparedProps) {
  if (!left || !right) return <p class="empty">{partWords().loading}</p>
  if ('error' in left || 'error' in right) {
    return (
      <div class="side-lines">
        <div class="side-line">
          <div>{'error' in left ? <ErrorBox error={left.error} /> : null}</div>
          <div>{'error' in right ? <ErrorBox error={right.error} /> : null}</div>
        </div>
      </div>
    )
  }
  const chosen = Math.min(label, left.prompts.length - 1)
  const [one, other] = [left.prompts[chosen]!, right.prompts[Math.min(chosen, right.prompts.length - 1)]!]
  const lines = alignTurns(turnsOf(one.rendered.prompt), turnsOf(other.rendered.prompt))
  return (
    <>
      {left.prompts.length > 1 && (
        <div class="labels" role="tablist" aria-label={sideWords().label}>
          {left.prompts.map((prompt, index) => (
            <button key={index} type="button" role="tab" aria-selected={index === chosen} onClick={() => onLabel(index)}>
              {visibleText(prompt.label ?? '', false)}
            </button>
          ))}
        </div>
      )}
      <div class="side-lines" data-testid="side-by-side">
        {lines.map((line, index) => {
          const only = differences(line.left?.text ?? '', line.right?.text ?? '')
          return (
            <div key={index} class="side-line">
              <MarkedTurn turn={line.left} only={line.right ? only.left : []} showWhitespace={showWhitespace} />
              <MarkedTurn turn={line.right} only={line.left ? only.right : []} showWhitespace={showWhitespace} />
            </div>
          )
        })}
        <div class="side-line">
          <Account prompt={one} />
          <Account prompt={other} />
        </div>
      </div>
    </>
  )
}
