import { useMemo } from 'preact/hooks'
import { modeOf, titleOf } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { ConfigSite, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadRow } from '../data/load.ts'
import { useLoad } from '../data/use-load.ts'
import { findNamed, findRow, linkNames } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { chosenDataset, DatasetChoices } from '../parts/dataset-choices.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { NotHere } from '../parts/not-here.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { formatNames } from '../prompt/chosen-model.ts'
import { type Prompts, usePrompts } from '../prompt/use-prompts.ts'
import { useSettings } from '../prompt/use-settings.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { type Route, useQuery } from '../route.ts'
import { type Column, columnNames, columnsOf, withColumn, withoutColumn } from '../side/columns.ts'
import { Compared, type Side } from '../side/compared.tsx'
import { partTexts } from '../texts/parts.ts'
import { sideTexts } from '../texts/side-by-side.ts'

/** The same row for several models or formats, turn by turn, with differences marked. */
export function SideBySidePage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const [words, parts] = [sideTexts(), partTexts()]
  const { query } = route
  const { config, number, dataset, datasetIndex, missing } = chosenDataset(site, query)
  const { index: row, missing: noRow } = findRow(query.row)
  const settings = useSettings()
  const chosen = columnNames.flatMap((name) => [query[name], query[`${name}Format`]])
  const columns = useMemo(() => columnsOf(config, query), [config, ...chosen])
  const loaded = useLoad(
    async (signal) => (dataset ? await loadRow(site, number, datasetIndex, row, signal) : undefined),
    [number, datasetIndex, row],
  )
  const mode = query.mode === 'gen' || query.mode === 'ppl' ? query.mode : undefined
  const rendered = useColumns(columns, { dataset: dataset?.config ?? noDataset, mode, row: loaded.value })
  if (!dataset || columns.length < 2) return <p class="empty">{words.nothingToCompare}</p>
  const titles = titlesOf(rendered)
  const label = findNamed(titles, query.label)
  return (
    <div class="side-page">
      <div class="play-bar">
        <DatasetChoices
          site={site}
          config={number}
          dataset={dataset.name}
          onConfig={(value) => change({ ...withoutColumn([], 0), config: value, dataset: undefined, row: undefined, label: undefined })}
          onDataset={(value) => change({ dataset: value, row: undefined, label: undefined })}
        />
        <label class="choice narrow">
          <span>{words.row}</span>
          <input
            type="text"
            inputMode="numeric"
            value={String(row)}
            onChange={(event) => change({ row: event.currentTarget.value.trim() })}
          />
        </label>
        <Choice
          label={parts.mode}
          value={mode ?? modeOf(dataset.config)}
          options={[
            ['gen', parts.generation],
            ['ppl', parts.perplexity],
          ]}
          onChange={(value) => change({ mode: value === modeOf(dataset.config) ? undefined : value, label: undefined })}
        />
        <Toggle on={settings.whitespace} onChange={settings.setWhitespace} hint="w">
          {parts.whitespace}
        </Toggle>
        <Toggle on={settings.tokens} onChange={settings.setTokens} hint="t">
          {parts.tokens}
        </Toggle>
        {settings.tokens && (
          <Toggle on={settings.ids} onChange={settings.setIds} hint="i">
            {parts.ids}
          </Toggle>
        )}
        {columns.length < columnNames.length && (
          <button type="button" onClick={() => change(withColumn(config, columns, formats))}>
            {words.add}
          </button>
        )}
      </div>
      <div class="side-body">
        <h1 class="about">{words.about}</h1>
        <NotHere
          missing={[
            ...missing,
            [parts.row, noRow],
            [parts.label, titles.length > 0 ? label.missing : undefined],
            ...columns.flatMap((column) => [[parts.model, column.missingModel] as const, [parts.format, column.missingFormat] as const]),
          ]}
        />
        <div class={`side-heads columns-${columns.length}`}>
          {columns.map((column, index) => (
            <Head
              key={column.name}
              {...{ config, column, change }}
              remove={columns.length > 2 ? () => change(withoutColumn(columns, index)) : undefined}
            />
          ))}
        </div>
        {titles.length > 1 && (
          <Tabs
            class="labels"
            label={words.label}
            names={titles.map((title) => visibleText(title, false))}
            chosen={label.index}
            onChoose={(index) => change({ label: linkNames(titles)[index] }, { replace: true })}
          />
        )}
        {loaded.error && <ErrorBox error={loaded.error} />}
        {loaded.value && rendered.every((one) => one !== undefined) ? (
          <Compared
            sides={columns.map((column, index) => sideOf(column, rendered[index]!, label.index))}
            dataset={dataset.config}
            row={loaded.value}
            settings={settings}
          />
        ) : (
          !loaded.error && <p class="empty">{parts.loading}</p>
        )}
      </div>
    </div>
  )
}

const noDataset = { infer_cfg: {} }
const formats = formatNames.map(([name]) => name)

type Asked = Pick<Parameters<typeof usePrompts>[0], 'dataset' | 'mode' | 'row'>

/** The prompts of each column. Hooks are called for the maximum number of columns; unused ones render nothing. */
function useColumns(columns: readonly Column[], asked: Asked): (Prompts | undefined)[] {
  const made = columnNames.map((_, index) => {
    const model = columns[index]?.model
    return usePrompts({ ...asked, model: model?.config ?? noModel, tokenizer: model?.tokenizer, row: model ? asked.row : undefined })
  })
  return made.slice(0, columns.length)
}

const noModel = {}

/** The prompt names of a row, equal in all columns. */
function titlesOf(rendered: readonly (Prompts | undefined)[]): string[] {
  const first = rendered.find((one) => one && !('error' in one))
  return first && !('error' in first) ? first.prompts.map((one, index) => titleOf(one) ?? String(index + 1)) : []
}

function sideOf(column: Column, made: Prompts, label: number): Side {
  if ('error' in made) return { column, error: made.error }
  return { column, prompt: made.prompts[Math.min(label, made.prompts.length - 1)]!, format: made.maker.format }
}

type HeadProps = { config: ConfigSite; column: Column; change: ReturnType<typeof useQuery>; remove: (() => void) | undefined }

/** The model and format of a column. */
function Head({ config, column: { name, model, format }, change, remove }: HeadProps) {
  const [words, parts] = [sideTexts(), partTexts()]
  return (
    <div class="side-head">
      <Choice
        label={words.model[name]}
        value={model.name}
        options={config.models.map((one) => [one.name, one.name])}
        onChange={(value) => change({ [name]: value })}
      />
      <Choice
        label={parts.format}
        value={format ?? ''}
        options={[['', parts.ownFormat], ...formatNames]}
        onChange={(value) => change({ [name]: model.name, [`${name}Format`]: value || undefined })}
      />
      {remove && (
        <button type="button" class="quiet-button" aria-label={words.remove(model.name)} onClick={remove}>
          ✕
        </button>
      )}
    </div>
  )
}
