import { PromptError } from '@rolecall/core/internal/errors'
import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { RecordedCall } from '@rolecall/core/internal/reply'
import { openingOf } from '@rolecall/core/internal/reply'
import { stopsRun } from '../../../model/language-model/stops-run.ts'
import { readCalls } from '../ask/read-calls.ts'
import { type JudgeVerdict, judgeNotePrefix } from '../ask-judge.ts'
import type { AnswerToJudge } from '../judge-prompts.ts'
import type { Referee } from '../pair-context.ts'
import { type ReadAnswers, readAnswers } from '../read-answers.ts'
import { isSameRow, type KnownRow, recordOf } from '../record/row-record.ts'
import type { RowAnswer, RowRecord } from '../record/run-record.ts'
import { type JudgedAnswer, lacksGold, notScored, type ScoredAnswer, scoreAnswer, toJudge } from '../score-answer.ts'
import { rejoinReasoning, separateReasoning } from '../separate-reasoning.ts'
import type { AskedRow } from './asked-row.ts'
import { recordFailure } from './catch-failures.ts'
import type { AnsweredRow, Answering, RowReply } from './layer.ts'

/** Turns the model's reply into a record with its score. */
export async function judgeReply(asked: AskedRow, next: Answering<RowReply>): Promise<AnsweredRow> {
  const reply = await next(asked)
  if (!reply) return { from: 'nowhere' }
  return reply.error ? recordFailure(asked, asked.key, reply.error, reply) : judgeAnswer(asked, reply, 'model')
}

/** An answer that is being judged; `before`: the record it was found in. */
type Judging = { asked: AskedRow; answer: RowAnswer; from: AnsweredRow['from']; before: RowRecord | undefined; known: KnownRow }

/** Scores an answer, judged first if there is a judge, and records the row if it is new or changed. */
export function judgeAnswer(
  asked: AskedRow,
  given: RowAnswer,
  from: AnsweredRow['from'],
  before?: RowRecord,
): AnsweredRow | Promise<AnsweredRow> {
  const { context, gold } = asked
  const answer = withCalls(asked, readReply(asked, given, before))
  const judging: Judging = { asked, answer, from, before, known: knownOf(asked, answer, from, before) }
  // Nothing is judged against an absent gold answer.
  const referee = lacksGold(context.pair, gold) ? undefined : context.referee
  return referee || context.keepAnswer ? refer(judging, referee) : scored(judging)
}

/** Keeps the answer for comparisons, and asks the judge about it. */
function refer(judging: Judging, referee: Referee | undefined): AnsweredRow | Promise<AnsweredRow> {
  const { asked, answer, before, known } = judging
  const { context, row, id, gold } = asked
  // Judging may take as long as answering: if the run is killed now, only the judge is queried again.
  if (referee && !before) context.store?.add(recordOf(known, answer, {}))
  let read: ReadAnswers
  let question: AnswerToJudge
  try {
    read = readAnswers(answer, context.pair.read.prediction, row)
    question = toJudge(context, answer, read, gold, row)
  } catch (error) {
    return recorded(judging, notScored(context, error, id))
  }
  context.keepAnswer?.(id, question.prediction)
  if (!referee) return scored(judging, { read })
  const { budget, throwErrors } = context.options
  return referee.judge(question, before, id).then(
    // The answer stays recorded even if the judge was interrupted: resuming queries the judge again.
    (judgement) => (judgement.said === undefined && budget?.reached ? { from: 'nowhere' } : scored(judging, { read, judgement })),
    (error: unknown) => {
      if (!(error instanceof PromptError) || stopsRun(error) || throwErrors) throw error
      return recorded(judging, { verdict: { error: `${referee.name}: ${error.message}`, outcome: 'failed' } })
    },
  )
}

function scored(judging: Judging, judged?: JudgedAnswer): AnsweredRow | Promise<AnsweredRow> {
  const { context, gold, row, id } = judging.asked
  const verdict = scoreAnswer(context, judging.answer, gold, row, id, judged)
  return verdict instanceof Promise
    ? verdict.then((settled) => recorded(judging, settled, judged?.judgement))
    : recorded(judging, verdict, judged?.judgement)
}

function recorded({ asked, answer, from, before, known }: Judging, { verdict, keep }: ScoredAnswer, judgement?: JudgeVerdict): AnsweredRow {
  const record = recordOf(known, judgement ? withJudgeNotes(answer, judgement) : answer, verdict)
  if (!before || !isSameRow(record, before)) asked.context.store?.add(record)
  if (before && judgement && before.details?.judge_key !== judgement.key) return { record, keep, from, judged: true }
  return { record, keep, from }
}

function knownOf(asked: AskedRow, answer: RowAnswer, from: AnsweredRow['from'], before: RowRecord | undefined): KnownRow {
  const { context, id, key, rowHash, columns, gold } = asked
  return {
    id,
    // A row that is only rescored keeps its key.
    key: before && context.options.offline ? before.key : key,
    rowHash,
    columns,
    gold,
    exampleIds: exampleIds(asked, answer.examples.used),
    cached: from === 'cached' ? true : before?.cached,
  }
}

/** Separates reasoning from the answer, unless the record has it separated. */
function readReply({ context, requests }: AskedRow, answer: RowAnswer, before: RowRecord | undefined): RowAnswer {
  const { syntax } = context.pair.read
  if (!syntax) return rejoinReasoning(answer)
  if (before?.reasoning !== undefined) return answer
  const prompt = requests.begun.first.prompts[0]?.prompt
  return separateReasoning(answer, syntax, prompt ? openingOf(prompt) : '')
}

/** Calls in text are parsed by the current config; those from a server or from ids stay. */
function withCalls({ context: { plan }, row }: AskedRow, answer: RowAnswer): RowAnswer {
  const { prediction } = answer
  if (!plan.readsCalls || (answer.calls !== undefined && answer.calls_by !== 'text')) return answer
  const read = (text: PyValue) => readCalls(plan, { row }, { text: pyStr(text) }).calls as readonly RecordedCall[] as PyValue
  return { ...answer, calls: isList(prediction) ? prediction.map(read) : read(prediction), calls_by: 'text' }
}

/** The indices of the examples; undefined if there are none, or they have no indices. */
function exampleIds({ context: { exampleNumber }, examples }: AskedRow, used: number): readonly number[] | undefined {
  if (used === 0 || !exampleNumber) return undefined
  const ids: number[] = []
  for (const example of examples.slice(0, used)) {
    const number = exampleNumber(example)
    if (number !== undefined) ids.push(number)
  }
  return ids
}

/** Replaces the notes of an earlier judgement by those of this one. */
function withJudgeNotes(answer: RowAnswer, { notes: added = [] }: JudgeVerdict): RowAnswer {
  const notes = [...(answer.notes ?? []).filter(({ code }) => !code.startsWith(judgeNotePrefix)), ...added]
  return { ...answer, notes: notes.length === 0 ? undefined : notes }
}
