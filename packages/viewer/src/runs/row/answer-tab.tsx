import { isList, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import type { ComponentChildren } from 'preact'
import { outcomesOf } from 'rolecall/internal/evaluation/run/record/outcome'
import { readingOf } from 'rolecall/internal/evaluation/run/record/row-differences'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { MessageView } from '../../conversations/message-view.tsx'
import type { MarkedRange } from '../../formatted/marked-range.ts'
import { placesOf } from '../../formatted/places-of.ts'
import { NoteLine } from '../../parts/note-line.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { showDecimal } from '../../texts/numbers.ts'
import { rowTexts } from '../../texts/row.ts'
import { timeText } from '../time-text.ts'
import { reasonText, VerdictMark } from '../verdict-mark.tsx'
import { Answer } from './answer.tsx'
import { type AnswerVerdict, answerVerdicts } from './answer-verdicts.ts'
import { Asked, type AskedField, conversationIn } from './asked.tsx'
import { diffCalls, diffTurns } from './call-diff.ts'
import { RecordedCalls } from './calls.tsx'
import { type ChatTurn, chatTurns } from './chat-turns.ts'

type AnswerTabProps = {
  record: RowRecord
  asked: readonly AskedField[]
  /** Where the answers were extracted, if known. */
  extracted?: readonly (MarkedRange | null)[] | undefined
  /** Its answers are several to one question, not the turns of a chat. */
  isSampled?: boolean
  /** The address of its prompt with tokens. */
  tokensHref: string
}

/** The answer and the expected answer: the extracted part is highlighted, reasoning is separate. */
export function AnswerTab({ record, asked, extracted, isSampled = false, tokensHref }: AnswerTabProps) {
  const { columns, example_ids, prediction, reasoning, gold, error, details } = record
  const ui = rowTexts()
  const reading = readingOf(record)
  const answers = isList(prediction) ? prediction : [prediction]
  const readings = isList(prediction) && isList(reading) ? reading : [reading]
  const verdicts = answerVerdicts(record)
  const chat = isList(prediction) && !isSampled && asked.length === 1 ? conversationIn(asked[0]!.value) : undefined
  const turns = chat && chatTurns(chat, answers.length)
  const isChat = turns !== undefined || details?.turns !== undefined
  const answerAt = (index: number) => (
    <Answer
      key={index}
      title={isChat ? ui.turn(index + 1) : answers.length > 1 ? ui.answerNumber(index + 1) : ui.answer}
      value={answers[index]!}
      verdict={verdicts[index] && <OneVerdict {...verdicts[index]} />}
      mark={extracted?.[index] ?? onlyOccurrence(answers[index]!, readings[index])}
    />
  )
  // The table of calls shows what was expected and made.
  const areCallsCompared = record.calls !== undefined && (diffCalls(record.calls, gold) ?? diffTurns(record.calls, gold)) !== undefined
  const shown = answers.flatMap((answer, index) => (areCallsCompared && answer === '' ? [] : [index]))
  const isReadApart =
    !areCallsCompared && reading !== undefined && reading !== null && reading !== '' && textOf(reading) !== textOf(prediction)
  const hasSide = isReadApart || (gold !== undefined && !areCallsCompared) || details?.opponent !== undefined
  return (
    <div class="outcome">
      {error !== undefined && (
        <div class="error">
          <p>{visibleText(error, false)}</p>
        </div>
      )}
      {turns ? <ChatView turns={turns} answer={answerAt} /> : <Asked fields={asked} />}
      <div class={`answers${shown.length === 1 ? ' one' : ''}`}>
        {!turns && shown.map(answerAt)}
        {hasSide && (
          <div class="answer-side">
            {isReadApart && <Answer title={ui.readAs} value={isList(reading) ? textOf(reading) : reading} />}
            {gold !== undefined && !areCallsCompared && <Answer title={ui.expected} value={gold} />}
            {details?.opponent !== undefined && <Answer title={ui.comparedWith} value={details.opponent} />}
          </div>
        )}
      </div>
      {typeof details?.reason === 'string' && <p class="reason">{visibleText(details.reason, false)}</p>}
      {record.calls !== undefined && <RecordedCalls value={record.calls} by={record.calls_by} gold={gold} />}
      {hasText(reasoning) && <Reasoning value={reasoning!} />}
      <Account record={record} tokensHref={tokensHref} />
      {columns && Object.keys(columns).length > 0 && (
        <p class="quiet">
          {visibleText(
            Object.entries(columns)
              .map(([name, value]) => `${name}: ${pyStr(value)}`)
              .join(' · '),
            false,
          )}
        </p>
      )}
      {example_ids && example_ids.length > 0 && <p class="quiet">{ui.examples(example_ids.join(', '))}</p>}
      {record.notes && record.notes.length > 0 && (
        <ul class="notes">
          {record.notes.map(({ code, text }, index) => (
            <li key={index}>
              <NoteLine code={code} text={text} />
            </li>
          ))}
        </ul>
      )}
      {details && Object.keys(details).length > 0 && (
        <details>
          <summary class="quiet">{ui.howCompared}</summary>
          <pre class="extra">{visibleText(stringifyJson(details, { ensureAscii: false, indent: 2 }), false)}</pre>
        </details>
      )}
    </div>
  )
}

/** A chat turn by turn: what the dataset says, and what the model answered, with its verdict. */
function ChatView({ turns, answer }: { turns: readonly ChatTurn[]; answer: (index: number) => ComponentChildren }) {
  const ui = rowTexts()
  return (
    <section class="answer" aria-label={ui.asked}>
      <ol class="turns asked-turns">
        {turns.map((turn, index) =>
          'answer' in turn ? (
            <li key={index}>{answer(turn.answer)}</li>
          ) : (
            <MessageView key={index} message={turn.message} showWhitespace={false}>
              {turn.isExpected ? <small class="quiet">{ui.expected}</small> : null}
            </MessageView>
          ),
        )}
      </ol>
    </section>
  )
}

/** The verdict on one of several answers, and what was extracted from it. */
function OneVerdict({ outcome, score, reading, reason }: AnswerVerdict) {
  return (
    <span class="answer-verdict">
      {(score !== undefined || outcome !== 'answered') && (
        <VerdictMark score={score} outcome={outcome} failed={outcome === 'failed'} figure={verdictFigure} />
      )}
      {reading !== undefined && (
        <span class="quiet">
          {rowTexts().readAs}: {visibleText(textOf(reading).slice(0, 80), false)}
        </span>
      )}
      {reason !== undefined && <span class="quiet">{visibleText(reason.slice(0, 200), false)}</span>}
    </span>
  )
}

const verdictFigure = { kind: 'verdict', direction: 'higher', unit: 'percent' } as const

/** Where an extracted answer occurs, if it occurs once. */
function onlyOccurrence(answer: PyValue, reading: PyValue | undefined): MarkedRange | undefined {
  if (typeof answer !== 'string' || reading === undefined || reading === null || isList(reading)) return undefined
  const wanted = pyStr(reading).trim()
  const places = wanted === '' ? [] : placesOf(answer, wanted)
  return places.length === 1 ? places[0] : undefined
}

function textOf(value: PyValue): string {
  return isList(value) ? value.map((one) => pyStr(one)).join(' · ') : pyStr(value)
}

/** Score, outcome, tokens and time in one line; tokens link to the prompt's tokens. */
function Account({ record, tokensHref }: { record: RowRecord; tokensHref: string }) {
  const ui = rowTexts()
  const { score, finish, tokens, milliseconds, cached } = record
  const before = [
    Number.isFinite(score) ? ui.score(Number.isInteger(score) ? String(score) : showDecimal(score!, 4)) : ui.noScore,
    reasonText(outcomesOf(record)),
    finish === 'length' ? ui.cut : finish === 'stop' ? ui.endOfTurn : finish,
  ]
  return (
    <p class="quiet">
      {before.filter(Boolean).join(' · ')} · <a href={tokensHref}>{ui.read(tokens.prompt)}</a>
      {`${tokens.reused > 0 ? ui.reused(tokens.reused) : ''}${tokens.reply > 0 ? ui.written(tokens.reply) : ''} · ${cached ? ui.known : timeText(milliseconds)}`}
    </p>
  )
}

function hasText(reasoning: PyValue | undefined): boolean {
  return isList(reasoning) ? reasoning.some((one) => one !== '') : reasoning !== undefined && reasoning !== null && reasoning !== ''
}

/** The model's reasoning, which is not scored. */
function Reasoning({ value }: { value: PyValue }) {
  const thoughts = isList(value) ? value : [value]
  const ui = rowTexts()
  return (
    <details class="reasoning" open>
      <summary class="quiet">{ui.reasoning}</summary>
      {thoughts.map(
        (thought, index) =>
          hasText(thought) && (
            <Answer
              key={index}
              title={thoughts.length > 1 ? ui.reasoningNumber(index + 1) : ui.reasoningAlone}
              value={thought}
              isAlone={thoughts.length === 1}
            />
          ),
      )}
    </details>
  )
}
