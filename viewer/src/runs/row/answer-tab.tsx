import { isList, type PyValue, pyStr, stringifyJson } from '../../../../src/base/python/index.ts'
import { readingOf } from '../../../../src/evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { showDecimal } from '../../words/numbers.ts'
import { rowWords } from '../../words/row.ts'
import { timeText } from '../time-text.ts'
import { reasonText } from '../verdict-mark.tsx'
import { Answer } from './answer.tsx'
import { Asked, type AskedField } from './asked.tsx'
import { RecordedCalls } from './calls.tsx'

/** What came back and what was expected: what was read in the answer is marked in it, reasoning stands apart. */
export function AnswerTab({ record, asked }: { record: RowRecord; asked: readonly AskedField[] }) {
  const { columns, example_ids, prediction, reasoning, gold, error, details } = record
  const told = rowWords()
  const reading = readingOf(record)
  const answers = isList(prediction) ? prediction : [prediction]
  const readings = isList(prediction) && isList(reading) ? reading : [reading]
  const isReadApart = reading !== undefined && reading !== null && reading !== '' && textOf(reading) !== textOf(prediction)
  return (
    <div class="outcome">
      {error !== undefined && (
        <div class="error">
          <p>{visibleText(error, false)}</p>
        </div>
      )}
      <Asked fields={asked} />
      <div class={`answers${answers.length === 1 ? ' one' : ''}`}>
        {answers.map((answer, index) => (
          <Answer
            key={index}
            title={answers.length > 1 ? told.answerNumber(index + 1) : told.answer}
            value={answer}
            mark={markOf(readings[index] ?? undefined, gold)}
          />
        ))}
        {(isReadApart || gold !== undefined || details?.opponent !== undefined) && (
          <div class="answer-side">
            {isReadApart && <Answer title={told.readAs} value={isList(reading) ? textOf(reading) : reading} />}
            {gold !== undefined && <Answer title={told.expected} value={gold} />}
            {details?.opponent !== undefined && <Answer title={told.comparedWith} value={details.opponent} />}
          </div>
        )}
      </div>
      {typeof details?.reason === 'string' && <p class="reason">{visibleText(details.reason, false)}</p>}
      {record.calls !== undefined && <RecordedCalls value={record.calls} by={record.calls_by} />}
      {hasText(reasoning) && <Reasoning value={reasoning!} />}
      <p class="quiet">{accountOf(record)}</p>
      {columns && Object.keys(columns).length > 0 && (
        <p class="quiet">
          {Object.entries(columns).map(([name, value]) => (
            <span key={name} class="column">
              {visibleText(name, false)}: {visibleText(pyStr(value), false)}{' '}
            </span>
          ))}
        </p>
      )}
      {example_ids && example_ids.length > 0 && <p class="quiet">{told.examples(example_ids.join(', '))}</p>}
      {record.notes && record.notes.length > 0 && (
        <ul class="notes">
          {record.notes.map(({ code, text }, index) => (
            <li key={index}>
              <b>{code}</b> {visibleText(text, false)}
            </li>
          ))}
        </ul>
      )}
      {details && Object.keys(details).length > 0 && (
        <details>
          <summary class="quiet">{told.howCompared}</summary>
          <pre class="extra">{visibleText(stringifyJson(details, { ensureAscii: false, indent: 2 }), false)}</pre>
        </details>
      )}
    </div>
  )
}

/** What is marked in an answer: what was read in it, else what was expected. */
function markOf(reading: PyValue | undefined, gold: PyValue | undefined): string | undefined {
  const wanted = reading ?? gold
  return wanted === undefined || wanted === null || isList(wanted) ? undefined : pyStr(wanted)
}

function textOf(value: PyValue): string {
  return isList(value) ? value.map((one) => pyStr(one)).join(' · ') : pyStr(value)
}

function accountOf({ score, outcome, finish, tokens, milliseconds, cached }: RowRecord): string {
  const told = rowWords()
  return [
    Number.isFinite(score) ? told.score(Number.isInteger(score) ? String(score) : showDecimal(score!, 4)) : told.noScore,
    outcome === undefined ? told.answered : reasonText(outcome),
    finish === 'length' ? told.cut : finish === 'stop' ? told.stopped : finish,
    `${told.read(tokens.prompt)}${tokens.reused > 0 ? told.reused(tokens.reused) : ''}${tokens.reply > 0 ? told.written(tokens.reply) : ''}`,
    cached ? told.known : timeText(milliseconds),
  ]
    .filter(Boolean)
    .join(' · ')
}

function hasText(reasoning: PyValue | undefined): boolean {
  return isList(reasoning) ? reasoning.some((one) => one !== '') : reasoning !== undefined && reasoning !== null && reasoning !== ''
}

/** What the model thought before it answered, which is not scored. */
function Reasoning({ value }: { value: PyValue }) {
  const thoughts = isList(value) ? value : [value]
  const told = rowWords()
  return (
    <details class="reasoning" open>
      <summary class="quiet">{told.reasoning}</summary>
      {thoughts.map((thought, index) => (
        <Answer
          key={index}
          title={thoughts.length > 1 ? told.reasoningNumber(index + 1) : told.reasoningAlone}
          value={thought}
          isAlone={thoughts.length === 1}
        />
      ))}
    </details>
  )
}
