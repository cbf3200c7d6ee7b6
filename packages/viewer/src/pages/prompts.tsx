import { useEffect, useMemo, useState } from 'preact/hooks'
import { formatPrompts } from 'rolecall/internal/evaluation/run/ask/format-prompts'
import { modeOf, titleOf } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import { modelTypeOf } from 'rolecall/internal/model/model-types/index'
import type { ConfigSite, ModelSite, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadRow } from '../data/load.ts'
import { useLoad } from '../data/use-load.ts'
import { findNamed, findRow, linkNames } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { chosenDataset, DatasetChoices } from '../parts/dataset-choices.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { NotHere } from '../parts/not-here.tsx'
import { RowList } from '../parts/row-list.tsx'
import { chosenModel, formatNames, isFormat } from '../prompt/chosen-model.ts'
import { PromptView } from '../prompt/prompt-view.tsx'
import { attempt, usePrompts } from '../prompt/use-prompts.ts'
import { isTyping, useSettings } from '../prompt/use-settings.ts'
import { type Route, readRoute, useQuery } from '../route.ts'
import { partTexts } from '../texts/parts.ts'
import { promptsTexts } from '../texts/prompts.ts'

/** Every prompt of a config: dataset, row, model, mode and label are chosen through the address. */
export function PromptsPage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const [words, parts] = [promptsTexts(), partTexts()]
  const { query } = route
  const { config, number, dataset, datasetIndex, missing } = chosenDataset(site, query)
  const model = useMemo(() => chosenModel(config, query.model, query.format), [config, query.model, query.format])
  const { index: row, missing: noRow } = findRow(query.row)
  const [count, setCount] = useState<number>()
  const settings = useSettings()
  const loaded = useLoad(
    async (signal) => (dataset ? await loadRow(site, number, datasetIndex, row, signal) : undefined),
    [number, datasetIndex, row],
  )
  const modelNames = config.models.map(({ name }) => name)
  const mode = query.mode === 'gen' || query.mode === 'ppl' ? query.mode : undefined
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      const step = { j: 1, k: -1 }[event.key]
      if (step !== undefined) {
        // Keys may arrive faster than the page renders, or before the rows are counted.
        const next = findRow(readRoute(location.hash).query.row).index + step
        change({ row: String(Math.max(0, Math.min(count === undefined ? row : count - 1, next))) }, { replace: true })
      }
      const other = { '[': -1, ']': 1 }[event.key]
      if (other !== undefined) {
        change({ model: modelNames[(modelNames.indexOf(model?.name ?? '') + other + modelNames.length) % modelNames.length] })
      }
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [row, count, model])
  if (!model) return <p class="empty">{words.noModels}</p>
  if (!dataset) return <BareFormat config={config} model={model} settings={settings} format={query.format} change={change} />
  return (
    <div class="prompts-page">
      <aside class="chooser">
        <h1 class="about">{words.about}</h1>
        <DatasetChoices
          site={site}
          config={number}
          dataset={dataset.name}
          onConfig={(value) => change({ ...nothingChosen, config: value, dataset: undefined, model: undefined })}
          onDataset={(value) => change({ ...nothingChosen, dataset: value })}
        />
        <Choice
          label={parts.model}
          value={model.name}
          options={config.models.map(({ name }) => [name, name])}
          onChange={(value) => change({ model: value })}
        />
        <div class="two">
          <Choice
            label={parts.format}
            value={query.format ?? ''}
            options={[['', parts.ownFormat], ...formatNames]}
            onChange={(value) => change({ format: value || undefined })}
          />
          <Choice
            label={parts.mode}
            value={mode ?? modeOf(dataset.config)}
            options={[
              ['gen', parts.generation],
              ['ppl', parts.perplexity],
            ]}
            onChange={(value) => change({ mode: value === modeOf(dataset.config) ? undefined : value, label: undefined, piece: undefined })}
          />
        </div>
        <div class="stepper">
          <button
            type="button"
            aria-label={words.before}
            disabled={row === 0}
            onClick={() => change({ row: String(row - 1) }, { replace: true })}
          >
            ‹
          </button>
          <span>
            {count === undefined ? words.row(row) : words.rowOf(row + 1, count)}
            <small title={words.numberHint}> --rows {row}</small>
          </span>
          <button
            type="button"
            aria-label={words.next}
            disabled={count !== undefined && row >= count - 1}
            onClick={() => change({ row: String(row + 1) }, { replace: true })}
          >
            ›
          </button>
        </div>
        <RowList
          key={`${number}-${datasetIndex}`}
          config={number}
          dataset={datasetIndex}
          selected={row}
          onSelect={(index) => change({ row: String(index) }, { replace: true })}
          onCount={setCount}
        />
      </aside>
      <div class="content">
        <NotHere
          missing={[
            ...missing,
            [parts.model, findNamed(modelNames, query.model).missing],
            [parts.format, isFormat(query.format) ? undefined : query.format],
            [parts.row, noRow],
          ]}
        />
        <Shown
          {...{ config, dataset: dataset.config, model, mode, loaded, settings, isOneFile: site.isOneFile === true }}
          label={query.label}
          onLabel={(label) => change({ label, piece: undefined }, { replace: true })}
        />
      </div>
    </div>
  )
}

type BareFormatProps = {
  config: ConfigSite
  model: ModelSite
  settings: ReturnType<typeof useSettings>
  format: string | undefined
  change: ReturnType<typeof useQuery>
}

/** The selection within a dataset. */
const nothingChosen = { row: undefined, label: undefined, mode: undefined, piece: undefined }

const noDataset = { infer_cfg: {} }

/** A config without datasets: an empty conversation in the model's format. */
function BareFormat({ config, model, settings, format, change }: BareFormatProps) {
  const [chosen, setChosen] = useState(0)
  const [words, parts] = [promptsTexts(), partTexts()]
  const made = useMemo(() => attempt(() => formatPrompts(model.config)), [model])
  return (
    <div class="prompts-page">
      <aside class="chooser">
        <h1 class="about">{words.about}</h1>
        <Choice
          label={parts.model}
          value={model.name}
          options={config.models.map(({ name }) => [name, name])}
          onChange={(value) => change({ model: value })}
        />
        <Choice
          label={parts.format}
          value={format ?? ''}
          options={[['', parts.ownFormat], ...formatNames]}
          onChange={(value) => change({ format: value || undefined })}
        />
        <p class="quiet">{words.noDatasets}</p>
      </aside>
      <div class="content">
        {'error' in made ? (
          <ErrorBox error={made.error} />
        ) : (
          <PromptView
            prompts={made.value.prompts.map((prompt) => ({ ...prompt, label: prompt.mode === 'gen' ? words.generative : words.complete }))}
            chosen={chosen}
            onChoose={setChosen}
            model={model.config}
            dataset={noDataset}
            format={made.value.format}
            tokenizer={model.tokenizer}
            row={{}}
            examples={[]}
            settings={settings}
          />
        )}
      </div>
    </div>
  )
}

type ShownProps = {
  config: ConfigSite
  dataset: ConfigSite['datasets'][number]['config']
  model: ModelSite
  mode: 'gen' | 'ppl' | undefined
  loaded: ReturnType<typeof useLoad<Awaited<ReturnType<typeof loadRow>> | undefined>>
  settings: ReturnType<typeof useSettings>
  isOneFile: boolean
  label: string | undefined
  onLabel: (label: string) => void
}

function Shown({ config, dataset, model, mode, loaded, settings, isOneFile, label, onLabel }: ShownProps) {
  const prompts = usePrompts({ model: model.config, dataset, tokenizer: model.tokenizer, mode, row: loaded.value })
  if (loaded.error) return <ErrorBox error={loaded.error} />
  if (!prompts || !loaded.value) return <p class="empty">{partTexts().loading}</p>
  if ('error' in prompts) return <ErrorBox error={prompts.error} />
  const titles = prompts.prompts.map((one, index) => titleOf(one) ?? String(index + 1))
  const { index: chosen, missing } = findNamed(titles, label)
  return (
    <>
      <NotHere missing={[[partTexts().label, missing]]} />
      <PromptView
        plan={prompts.plan}
        prompts={prompts.prompts}
        chosen={chosen}
        onChoose={(index) => onLabel(linkNames(titles)[index]!)}
        model={model.config}
        dataset={dataset}
        format={prompts.maker.format}
        tokenizer={model.tokenizer}
        row={loaded.value.row}
        examples={loaded.value.examples}
        notes={[...loaded.value.notes, ...config.warnings]}
        settings={settings}
        canAsk={!isOneFile && modelTypeOf(model.config)?.isShipped === true}
      />
      {config.isExample && <p class="quiet">{promptsTexts().isExample(<code>rolecall init</code>)}</p>}
    </>
  )
}
