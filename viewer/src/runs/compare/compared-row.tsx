import { useMemo } from 'preact/hooks'
import type { PairDiff, Site } from '../../../../src/app/server/viewer/viewer-data.ts'
import { pyStr } from '../../../../src/base/python/index.ts'
import { sentText } from '../../../../src/evaluation/run/ask/request-text.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import { loadRow } from '../../data/load.ts'
import { loadRecord } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { ErrorBox } from '../../parts/error-box.tsx'
import { usePrompts } from '../../prompt/use-prompts.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { compareTexts } from '../../texts/compare.ts'
import { rowTexts } from '../../texts/row.ts'
import { useRunState } from '../use-run.ts'
import { VerdictMark } from '../verdict-mark.tsx'
import type { Side } from './sides.ts'
import { diffTexts, type Stretch } from './text-diff.ts'

type ComparedRowProps = { site: Site; first: Side; second: Side; pair: PairDiff; index: number; onClose: () => void }

/** One row from both sides: answers and prompts side by side, with differences marked. */
export function ComparedRow({ site, first, second, pair, index, onClose }: ComparedRowProps) {
  const ui = compareTexts()
  const one = useSide(site, first, pair.first, pair.rows.places[0][index]!)
  const other = useSide(site, second, pair.second, pair.rows.places[1][index]!)
  const answers = useDiff(one.answer, other.answer)
  const prompts = useDiff(one.prompt, other.prompt)
  const sides = [
    { side: first, ...one, pair: pair.first },
    { side: second, ...other, pair: pair.second },
  ]
  return (
    <section class="pair-record" aria-label={rowTexts().label}>
      <div class="record-head">
        <h2>{rowTexts().title(pair.rows.ids[index]!)}</h2>
        <span class="spread" />
        <button type="button" onClick={onClose}>
          {ui.close}
        </button>
      </div>
      {one.error && <ErrorBox error={one.error} />}
      {other.error && <ErrorBox error={other.error} />}
      {one.record?.gold !== undefined && (
        <p class="quiet">
          {rowTexts().expected}: <b>{visibleText(pyStr(one.record.gold), false)}</b>
        </p>
      )}
      <div class="both">
        {sides.map(({ side, record, figure }, place) => (
          <section key={side.key} class="answer" aria-label={ui.answerIn(side.name)}>
            <h3>
              {visibleText(ui.answerIn(side.name), false)}
              {record && <VerdictMark score={record.score} outcome={record.outcome} failed={record.error !== undefined} figure={figure} />}
            </h3>
            <pre class="text">{record?.error === undefined ? <Marked parts={answers[place]!} /> : visibleText(record.error, false)}</pre>
          </section>
        ))}
        {sides.map(({ side, prompt, isLoading }, place) => (
          <section key={`${side.key} prompt`} class="answer" aria-label={ui.promptIn(side.name)}>
            <h3>{visibleText(ui.promptIn(side.name), false)}</h3>
            <pre class="text">{prompt === undefined ? isLoading ? '…' : ui.notKept : <Marked parts={prompts[place]!} />}</pre>
          </section>
        ))}
      </div>
    </section>
  )
}

function Marked({ parts }: { parts: readonly Stretch[] }) {
  return (
    <>
      {parts.map(({ text, differs }, index) =>
        differs ? (
          <mark key={index} class="differs">
            {visibleText(text, false)}
          </mark>
        ) : (
          visibleText(text, false)
        ),
      )}
    </>
  )
}

function useDiff(one: string | undefined, other: string | undefined): [Stretch[], Stretch[]] {
  return useMemo(() => diffTexts(one ?? '', other ?? ''), [one, other])
}

const noRecord = { prediction: null, examples: { used: 0, dropped: 0 } }

/** A row of one side: its record, and its prompts as recorded or rendered now. */
function useSide(site: Site, side: Side, pair: number, place: number) {
  const run = site.runs[side.run]!
  const { modelIndex, datasetIndex } = run.pairs[pair]!
  const config = site.configs[run.config]!
  const [model, dataset] = [config.models[modelIndex], config.datasets[datasetIndex]]
  const figure = useRunState(side.run).state?.pairs[pair]?.figure
  const loaded = useLoad(
    async (signal) => {
      const record: RowRecord = await loadRecord(site, side.run, pair, place, signal)
      const row =
        dataset && !record.prompts ? await loadRow(site, run.config, datasetIndex, record.id, signal).catch(() => undefined) : undefined
      return { record, row }
    },
    [side.run, pair, place],
  )
  const { record, row } = loaded.value ?? {}
  const made = usePrompts({
    model: model?.config ?? {},
    dataset: dataset?.config ?? { infer_cfg: {} },
    tokenizer: model?.tokenizer,
    row,
    record: record ?? noRecord,
  })
  const rendered = row && made && !('error' in made) ? made.prompts.map(({ rendered }) => sentText(rendered.prompt)) : undefined
  return {
    record,
    figure,
    error: loaded.error,
    isLoading: loaded.isLoading,
    answer: record && pyStr(record.prediction ?? ''),
    prompt: (record?.prompts ?? rendered)?.join('\n⋯\n'),
  }
}
