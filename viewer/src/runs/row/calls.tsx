import { isList, type PyValue, stringifyJson } from '../../../../src/base/python/index.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import { callsOf, type RecordedCall } from '../../../../src/model/reply/recorded-call.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { rowTexts } from '../../texts/row.ts'

/** The parsed calls of the answer, per turn or sample if there are several. */
export function RecordedCalls({ value, by }: { value: PyValue; by: RowRecord['calls_by'] }) {
  const single = callsOf(value)
  const each = single ? [single] : isList(value) ? value.map((one) => callsOf(one) ?? []) : []
  const ui = rowTexts()
  const title = by === undefined ? ui.calls : ui.callsFrom[by]
  return (
    <section class="recorded-calls" aria-label={title}>
      <h3>{title}</h3>
      {each.map((calls, index) => (
        <ul key={index} class="calls">
          {calls.length === 0 && (
            <li class="quiet">
              {each.length > 1 ? `${index + 1}: ` : ''}
              {ui.noCall}
            </li>
          )}
          {calls.map((call, number) => (
            <li key={number} class={`call ${'malformed' in call ? 'malformed' : 'code' in call ? 'code' : 'call'}`}>
              {each.length > 1 && `${index + 1}: `}
              <Call call={call} />
            </li>
          ))}
        </ul>
      ))}
    </section>
  )
}

function Call({ call }: { call: RecordedCall }) {
  if ('code' in call) return <pre>{visibleText(call.code, false)}</pre>
  if ('malformed' in call) {
    return (
      <>
        <b>{rowTexts().malformed}</b> <span class="quiet">{visibleText(call.problem, false)}</span>
        <pre>{visibleText(call.malformed, false)}</pre>
      </>
    )
  }
  return (
    <>
      <b>{visibleText(call.name, false)}</b>
      <pre>{visibleText(stringifyJson(call.arguments, { ensureAscii: false, indent: 2 }), false)}</pre>
    </>
  )
}
