import { isList, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { callsOf, type RecordedCall } from '@rolecall/core/internal/reply'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { visibleText } from '../../prompt/visible-text.tsx'
import { rowTexts } from '../../texts/row.ts'
import { type CallDiff, diffCalls, diffTurns } from './call-diff.ts'

/** The parsed calls of the answer, per turn or sample if there are several; one answer's calls are shown beside the expected ones. */
export function RecordedCalls({ value, by, gold }: { value: PyValue; by: RowRecord['calls_by']; gold: PyValue | undefined }) {
  const single = callsOf(value)
  const each = single ? [single] : isList(value) ? value.map((one) => callsOf(one) ?? []) : []
  const ui = rowTexts()
  const title = by === undefined ? ui.calls : ui.callsFrom[by]
  const compared = diffCalls(value, gold)
  const turns = compared ? undefined : diffTurns(value, gold)
  return (
    <section class="recorded-calls" aria-label={title}>
      <h3>{title}</h3>
      {compared?.map((diff, index) => (
        <CallTable key={index} {...diff} />
      ))}
      {compared?.length === 0 && <p class="quiet">{ui.noCall}</p>}
      {turns?.map((turn, index) => (
        <section key={index} aria-label={ui.turn(index + 1)}>
          <h4>{ui.turn(index + 1)}</h4>
          {turn.length === 0 && <p class="quiet">{ui.noCall}</p>}
          {turn.map((diff, number) => (
            <CallTable key={number} {...diff} />
          ))}
        </section>
      ))}
      {!compared &&
        !turns &&
        each.map((calls, index) => (
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

/** A call with its arguments, expected and made; what differs is marked. */
function CallTable({ name, expected, actual, arguments: all }: CallDiff) {
  const ui = rowTexts()
  const note = !actual ? ui.callMissing : !expected ? ui.callExtra : undefined
  return (
    <div class="call-diff">
      <p>
        <b>{visibleText(name, false)}</b> {note && <span class="bad">{note}</span>}
      </p>
      {all.length > 0 && (
        <table class="call-table" aria-label={name}>
          <thead>
            <tr>
              <th scope="col">{ui.argument}</th>
              <th scope="col">{ui.expected}</th>
              <th scope="col">{ui.answer}</th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ name: argument, expected: wanted = '–', actual: given = '–', isSame }) => (
              <tr key={argument}>
                <th scope="row">{visibleText(argument, false)}</th>
                <td>{visibleText(wanted, false)}</td>
                <td>{isSame ? visibleText(given, false) : <mark class="differs">{visibleText(given, false)}</mark>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
