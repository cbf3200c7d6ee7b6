import { useMemo, useRef, useState } from 'preact/hooks'
import type { DatasetConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { sentText } from 'rolecall/internal/evaluation/run/ask/request-text'
import { type RowPrompt, titleOf } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { sha256 } from 'rolecall/internal/python/library/sha256'
import type { ModelSite } from 'rolecall/internal/server/viewer/viewer-data'
import type { LoadedRow } from '../../data/load.ts'
import { ErrorBox } from '../../parts/error-box.tsx'
import { PromptView } from '../../prompt/prompt-view.tsx'
import { usePrompts } from '../../prompt/use-prompts.ts'
import type { Settings } from '../../prompt/use-settings.ts'
import { partTexts } from '../../texts/parts.ts'
import { rowTexts } from '../../texts/row.ts'
import { KeptPrompts } from './kept-prompts.tsx'
import { PromptHead } from './prompt-head.tsx'
import { type Provenance, provenanceOf } from './provenance.ts'

type PromptTabProps = {
  model: ModelSite | undefined
  dataset: DatasetConfig | undefined
  row: LoadedRow | undefined
  isLoading: boolean
  record: RowRecord
  settings: Settings
}

/** Every prompt sent for a row: as recorded, or rendered again and verified by its hash. */
export function PromptTab({ model, dataset, row, isLoading, record, settings }: PromptTabProps) {
  if (model && dataset && row) return <Sent {...{ model, dataset, row, record, settings }} />
  if (isLoading) return <p class="quiet">{partTexts().loading}</p>
  if (!record.prompts) return <p class="empty">{rowTexts().gone}</p>
  return (
    <>
      <Proof provenance="kept-alone" record={record} />
      <KeptPrompts prompts={record.prompts} settings={settings} />
    </>
  )
}

type SentProps = { model: ModelSite; dataset: DatasetConfig; row: LoadedRow; record: RowRecord; settings: Settings }

function Sent({ model, dataset, row, record, settings }: SentProps) {
  const [label, setLabel] = useState<number>()
  const box = useRef<HTMLDivElement>(null)
  // As many examples as the run used, whatever fits here.
  const used = useMemo(() => ({ ...row, examples: row.examples.slice(0, record.examples.used) }), [row, record])
  const made = usePrompts({ model: model.config, dataset, tokenizer: model.tokenizer, row: used, record })
  const prompts = made && !('error' in made) ? made.prompts : undefined
  const provenance = useMemo(
    () =>
      provenanceOf(
        prompts?.map(({ rendered }) => sentText(rendered.prompt)),
        record,
        (text) => sha256(new TextEncoder().encode(text)),
      ),
    [prompts, record],
  )
  if (!made) return <p class="quiet">{partTexts().loading}</p>
  if ('error' in made || provenance === 'kept-differs') {
    return (
      <>
        <Proof provenance={'error' in made ? 'kept-alone' : 'kept-differs'} record={record} />
        {'error' in made && <ErrorBox error={made.error} />}
        {record.prompts && <KeptPrompts prompts={record.prompts} titles={prompts?.map(titleOf)} settings={settings} />}
      </>
    )
  }
  const chosen =
    label ??
    Math.max(
      0,
      made.prompts.findIndex((one) => isAnswer(one, record)),
    )
  return (
    <div ref={box}>
      <Proof provenance={provenance} record={record} />
      <PromptHead prompts={made.prompts} chosen={chosen} record={record} limit={model.config.max_seq_len} box={box} />
      <PromptView
        plan={made.plan}
        prompts={made.prompts}
        chosen={chosen}
        onChoose={setLabel}
        model={model.config}
        dataset={dataset}
        format={made.maker.format}
        tokenizer={model.tokenizer}
        row={used.row}
        examples={used.examples}
        notes={record.notes ?? []}
        settings={settings}
        recorded={record}
      />
    </div>
  )
}

function isAnswer({ label }: RowPrompt, { prediction }: RowRecord): boolean {
  return label !== undefined && label === String(prediction)
}

/** Whether the shown prompt is the one sent; green only if verified. */
function Proof({ provenance, record }: { provenance: Provenance; record: RowRecord }) {
  const ui = rowTexts()
  const texts: Record<Provenance, string> = {
    proven: ui.isSent(record.prompt_hash.slice(0, 12)),
    kept: ui.isKept,
    'kept-differs': ui.keptDiffers,
    'kept-alone': record.prompts ? ui.keptAlone : '',
    differs: ui.notSent,
    again: ui.again,
    'never-sent': ui.neverSent,
  }
  return texts[provenance] === '' ? null : <p class={`proof p-${provenance}`}>{texts[provenance]}</p>
}
