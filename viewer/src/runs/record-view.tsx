import { useMemo, useState } from 'preact/hooks'
import { sentText } from '../../../src/ask/request-text.ts'
import type { RowPrompt } from '../../../src/ask/row-prompts.ts'
import { sha256 } from '../../../src/import/sha256.ts'
import { parseReply, type ReplyCall } from '../../../src/parse/index.ts'
import { isList, type PyValue, pyStr, stringifyJson } from '../../../src/python/index.ts'
import type { MainFigure } from '../../../src/record/main-figure.ts'
import { modelText } from '../../../src/record/pair-name.ts'
import type { RowRecord } from '../../../src/record/run-record.ts'
import { syntaxOf } from '../../../src/reply/index.ts'
import { callsOf } from '../../../src/reply/read-call.ts'
import { isRight } from '../../../src/score/evaluate/metric.ts'
import type { ConfigSite, Site } from '../../../src/server/viewer/wire.ts'
import { type LoadedRow, loadRow } from '../data/load.ts'
import { useLoad } from '../data/use-load.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { PromptView } from '../prompt/prompt-view.tsx'
import { attempt, usePrompts } from '../prompt/use-prompts.ts'
import type { Settings } from '../prompt/use-settings.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { Answer } from './answer.tsx'
import { JudgeView } from './judge-view.tsx'

type RecordViewProps = {
  site: Site
  config: number
  pair: Site['runs'][number]['pairs'][number]
  record: RowRecord
  /** What its scores mean, where that is known. */
  figure: MainFigure | undefined
  settings: Settings
  /** The same row of the other run, and what its scores mean. */
  other?: OtherRecord | undefined
}

type OtherRecord = { name: string; record: RowRecord; figure: MainFigure | undefined }

/** One row of a run: what came back, what was expected, and the prompt, rendered again from the config and the row. */
export function RecordView({ site, config: number, pair, record, figure, settings, other }: RecordViewProps) {
  const config = site.configs[number]!
  const model = config.models[pair.modelIndex]
  const dataset = config.datasets[pair.datasetIndex]
  const row = useLoad(
    async (signal) => (pair.datasetIndex < 0 ? undefined : await loadRow(site, number, pair.datasetIndex, record.id, signal)),
    [number, pair, record.id],
  )
  return (
    <div class="record">
      <Outcome record={record} figure={figure} other={other} />
      {row.error && <ErrorBox error={row.error} />}
      {dataset && row.value && <JudgeView dataset={dataset.config} row={row.value.row} record={record} settings={settings} />}
      {model && dataset && row.value && (
        <Sent
          key={`${modelText(pair)} ${pair.dataset} ${record.id}`}
          {...{ model, dataset: dataset.config, row: row.value, record, settings }}
        />
      )}
      {record.prompts && !row.value && <KeptPrompts prompts={record.prompts} settings={settings} />}
    </div>
  )
}

/** What was sent, as the record has it: the bytes, without who wrote them. */
function KeptPrompts({ prompts, settings }: { prompts: readonly string[]; settings: Settings }) {
  return prompts.map((text, index) => (
    <pre key={index} class="text prompt">
      {visibleText(text, settings.whitespace)}
    </pre>
  ))
}

type OutcomeProps = { record: RowRecord; figure: MainFigure | undefined; other?: OtherRecord | undefined }

function Outcome({ record, figure, other }: OutcomeProps) {
  const { columns, example_ids, prediction, reasoning, gold, score, outcome, error, details, finish, tokens, milliseconds, cached } = record
  const judged = (one: RowRecord, by: MainFigure | undefined) => <Verdict score={one.score} outcome={one.outcome} figure={by} />
  return (
    <div class="outcome">
      <div class="answers">
        <Answer title="answer" value={prediction} verdict={judged(record, figure)} />
        {gold !== undefined && <Answer title="expected" value={gold} />}
        {details?.opponent !== undefined && <Answer title="compared with" value={details.opponent} />}
        {other && <Answer title={`answer in ${other.name}`} value={other.record.prediction} verdict={judged(other.record, other.figure)} />}
      </div>
      {typeof details?.reason === 'string' && <p class="reason">{visibleText(details.reason, false)}</p>}
      {record.calls !== undefined && <RecordedCalls value={record.calls} by={record.calls_by} />}
      {hasText(reasoning) && <Reasoning value={reasoning!} />}
      {error !== undefined && (
        <div class="error">
          <p>{visibleText(error, false)}</p>
        </div>
      )}
      <p class="quiet">
        {[
          typeof score === 'number' ? `score ${Number.isInteger(score) ? score : score.toFixed(4)}` : 'no score',
          outcome === undefined ? 'answered' : outcomeText(outcome),
          finish === 'length' ? 'cut at the most tokens' : finish === 'stop' ? 'stopped by itself' : finish,
          `${tokens.prompt} tokens read${tokens.reused > 0 ? ` (${tokens.reused} known)` : ''}${tokens.reply > 0 ? `, ${tokens.reply} written` : ''}`,
          cached ? 'known from an earlier run' : `${milliseconds} ms`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {columns && Object.keys(columns).length > 0 && (
        <p class="quiet">
          {Object.entries(columns).map(([name, value]) => (
            <span key={name} class="column">
              {visibleText(name, false)}: {visibleText(pyStr(value), false)}{' '}
            </span>
          ))}
        </p>
      )}
      {example_ids && example_ids.length > 0 && <p class="quiet">examples: rows {example_ids.join(', ')} of the rows for examples</p>}
      {details && Object.keys(details).length > 0 && (
        <details>
          <summary class="quiet">how it was compared</summary>
          <pre class="extra">{visibleText(stringifyJson(details, { ensureAscii: false, indent: 2 }), false)}</pre>
        </details>
      )}
    </div>
  )
}

type VerdictProps = {
  score: number | undefined
  outcome?: RowRecord['outcome']
  failed?: boolean
  /** What the score means; without it, it is a number and no more. */
  figure: Pick<MainFigure, 'kind' | 'unit'> | undefined
}

/** How a row came out: right or wrong only where its scores say so, and what became of an answer that could not be read. */
export function Verdict({ score, outcome, failed, figure }: VerdictProps) {
  return (
    <>
      {failed ? <span class="verdict failed">! error</span> : <Mark score={score} figure={figure} />}
      {outcome !== undefined && outcome !== 'failed' && <span class="verdict unread">{outcomeText(outcome)}</span>}
    </>
  )
}

function Mark({ score, figure }: Pick<VerdictProps, 'score' | 'figure'>) {
  if (score === undefined) return <span class="verdict none">– no score</span>
  switch (figure && isRight(score, figure.kind)) {
    case true:
      return <span class="verdict right">✓ right</span>
    case false:
      return <span class="verdict wrong">✗ wrong</span>
    default: {
      const unit = figure?.kind === 'quantity' ? ` ${figure.unit}` : ''
      return (
        <span class={`verdict ${figure?.kind === 'graded' ? 'part' : 'none'}`}>
          {figure?.kind === 'graded' ? '◐ ' : ''}
          {score.toFixed(2)}
          {unit}
        </span>
      )
    }
  }
}

/** `not found`, or `2 answered, 1 cut` of a row with several answers. */
function outcomeText(outcome: NonNullable<RowRecord['outcome']>): string {
  if (typeof outcome === 'string') return outcome.replace('-', ' ')
  const kinds = [...new Set(outcome)]
  return kinds.map((kind) => `${outcome.filter((one) => one === kind).length} ${kind.replace('-', ' ')}`).join(', ')
}

function hasText(reasoning: PyValue | undefined): boolean {
  return isList(reasoning) ? reasoning.some((one) => one !== '') : reasoning !== undefined && reasoning !== null && reasoning !== ''
}

/** What the model thought before it answered, which is not scored. */
function Reasoning({ value }: { value: PyValue }) {
  const thoughts = isList(value) ? value : [value]
  return (
    <details class="reasoning">
      <summary class="quiet">reasoning, set apart and not scored</summary>
      {thoughts.map((thought, index) => (
        <Answer key={index} title={thoughts.length > 1 ? `reasoning ${index + 1}` : 'reasoning'} value={thought} />
      ))}
    </details>
  )
}

type SentProps = {
  model: ConfigSite['models'][number]
  dataset: ConfigSite['datasets'][number]['config']
  row: LoadedRow
  record: RowRecord
  settings: Settings
}

function Sent({ model, dataset, row, record, settings }: SentProps) {
  const [label, setLabel] = useState<number>()
  // As many examples as the run used, whatever would fit here.
  const used = useMemo(() => ({ ...row, examples: row.examples.slice(0, record.examples.used) }), [row, record])
  const prompts = usePrompts({ model: model.config, dataset, tokenizer: model.tokenizer, row: used, record })
  const isSame = useMemo(() => (prompts && !('error' in prompts) ? hasHash(prompts.prompts, record) : undefined), [prompts, record])
  const format = prompts && !('error' in prompts) ? prompts.maker.format : undefined
  const calls = useMemo(
    () =>
      format && record.calls === undefined && typeof record.prediction === 'string' && !record.scores
        ? attempt(() => parseReply(record.prediction as string, syntaxOf(format, model.config.reply_syntax)))
        : undefined,
    [format, record],
  )
  if (!prompts) return <p class="quiet">…</p>
  if ('error' in prompts || (isSame === false && record.prompts)) {
    return (
      <>
        {'error' in prompts ? (
          <ErrorBox error={prompts.error} />
        ) : (
          <p class="proof differs">
            what was sent, as the run kept it: the config, the rows or rolecall changed since, and would render another prompt
          </p>
        )}
        {record.prompts && <KeptPrompts prompts={record.prompts} settings={settings} />}
      </>
    )
  }
  const chosen =
    label ??
    Math.max(
      0,
      prompts.prompts.findIndex((one) => one.label !== undefined && one.label === String(record.prediction)),
    )
  const notes =
    isSame === false
      ? [
          {
            code: 'prompt-differs',
            text: 'this is not the prompt that was sent: its hash is another. The config, the rows or rolecall changed since.',
          },
        ]
      : []
  return (
    <>
      {calls && 'value' in calls && calls.value.calls.length > 0 && <Calls calls={calls.value.calls} />}
      <p class={`proof ${isSame === false ? 'differs' : ''}`}>
        {isSame === true && `✓ the prompt that was sent, to the byte (SHA-256 ${record.prompt_hash.slice(0, 12)}…)`}
        {isSame === false && '✗ not the prompt that was sent: its hash is another'}
        {isSame === undefined && 'rendered again from the config and the row'}
      </p>
      <PromptView
        prompts={prompts.prompts}
        chosen={chosen}
        onChoose={setLabel}
        model={model.config}
        dataset={dataset}
        format={prompts.maker.format}
        tokenizer={model.tokenizer}
        row={used.row}
        examples={used.examples}
        notes={[...notes, ...(record.notes ?? [])]}
        settings={settings}
        recorded={record}
      />
    </>
  )
}

/** Whether these are the prompts whose hash was written down; undefined where none was, as nothing was sent. */
function hasHash(prompts: readonly RowPrompt[], record: RowRecord): boolean | undefined {
  if (record.prompt_hash === '') return undefined
  const sent = prompts.map(({ rendered }) => sentText(rendered.prompt)).join('\u0000')
  return sha256(new TextEncoder().encode(sent)) === record.prompt_hash
}

/** The calls that were read when the answer came, of each of its turns or samples where there are several. */
function RecordedCalls({ value, by }: { value: PyValue; by: RowRecord['calls_by'] }) {
  const single = callsOf(value)
  const each = single ? [single] : isList(value) ? value.map((one) => callsOf(one) ?? []) : []
  return (
    <section class="recorded-calls" aria-label="calls that were read">
      <h3>calls{by === undefined ? '' : ` read from ${sources[by]}`}</h3>
      {each.map((calls, index) => (
        <ul key={index} class="calls">
          {calls.length === 0 && <li class="quiet">{each.length > 1 ? `${index + 1}: ` : ''}no call</li>}
          {calls.map((call, number) => (
            <li key={number} class={`call ${'malformed' in call ? 'malformed' : 'code' in call ? 'code' : 'call'}`}>
              {each.length > 1 && `${index + 1}: `}
              {'code' in call ? (
                <pre>{visibleText(call.code, false)}</pre>
              ) : 'malformed' in call ? (
                <>
                  <b>malformed</b> <code>{visibleText(call.malformed, false)}</code>{' '}
                  <span class="quiet">{visibleText(call.problem, false)}</span>
                </>
              ) : (
                <>
                  <b>{visibleText(call.name, false)}</b>{' '}
                  <code>{visibleText(stringifyJson(call.arguments, { ensureAscii: false }), false)}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      ))}
    </section>
  )
}

const sources = { server: 'what the server told', ids: 'the ids that the model generated', text: 'the text' } as const

function Calls({ calls }: { calls: readonly ReplyCall[] }) {
  return (
    <ul class="calls" aria-label="calls in the reply">
      {calls.map((call, index) => (
        <li key={index} class={`call ${call.kind}`}>
          {call.kind === 'call' && (
            <>
              <b>{visibleText(call.name, false)}</b> <code>{visibleText(call.argumentsText, false)}</code>
            </>
          )}
          {call.kind === 'code' && <pre>{visibleText(call.code, false)}</pre>}
          {call.kind === 'malformed' && (
            <>
              <b>malformed: {call.error}</b> <code>{visibleText(call.raw, false)}</code>{' '}
              <span class="quiet">{visibleText(call.problem, false)}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
