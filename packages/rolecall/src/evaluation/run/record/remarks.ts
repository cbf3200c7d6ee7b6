import type { PairResult } from './run-record.ts'
import { showValue } from './show-metric.ts'

/** The kinds of remarks; `note` is a note that was recorded while rows were sent. */
export const remarkKinds = [
  'baseline',
  'failed',
  'no-gold',
  'cut',
  'wrong-calls',
  'examples-dropped',
  'skipped',
  'note',
  'cached',
  'compat',
] as const
export type RemarkKind = (typeof remarkKinds)[number]

/** A caveat about a metric: its kind, the number of rows, and a text. */
export type Remark = {
  kind: RemarkKind
  text: string
  rows?: number
  /** The code of a note. */
  code?: string
  /** No row has the note: it is about the dataset or the pair as a whole. */
  isOfWhole?: true
  /** Details beyond the kind and the number: the note, why calls are wrong, which quirks. */
  detail?: string
}

/** The remarks about a metric. */
export function remarksAbout(result: PairResult): Remark[] {
  const { baseline, skipped, cached = 0, cut, rows, examplesDropped, compat, notes, wrongCalls = [] } = result
  const { noGold = 0 } = result.answers
  // These are counted by row.
  const answers = result.answerRows ? 'rows' : 'answers'
  return [
    ...(baseline
      ? [{ kind: 'baseline' as const, text: 'the answers of the other models are compared with these, which have no score of their own' }]
      : []),
    ...failedRemark(result),
    ...counted('no-gold', noGold, `${noGold} of ${rows} rows ${noGold === 1 ? 'has' : 'have'} no gold answer and no score`),
    ...counted(
      'cached',
      cached,
      `${cached} of ${rows} ${answers} are those of an earlier run (--no-cache sends them again) or of a row with the same request`,
    ),
    ...counted('skipped', skipped, `${skipped} bad rows of the file were skipped`),
    ...counted('cut', cut, `${cut} of ${rows} ${answers} hit the token limit${completeText(result)}`),
    ...counted('examples-dropped', examplesDropped, `${examplesDropped} examples were dropped to stay within max_seq_len`),
    ...wrongCalls.flatMap(({ reason, rows: some }) =>
      counted('wrong-calls', some, `wrong calls in ${some} of ${rows} rows: ${reason}`, reason),
    ),
    ...(compat === undefined ? [] : [{ kind: 'compat' as const, text: `compat: ${compat}`, detail: compat }]),
    ...notes
      .filter(({ code }) => code !== 'examples-dropped' && code !== 'no-gold')
      .map(({ code, text, rows: some, ofDataset, ofPair }) => ({
        kind: 'note' as const,
        code,
        rows: some,
        ...(ofDataset || ofPair ? { isOfWhole: true as const } : {}),
        detail: text,
        // A finding about the dataset counts its rows in its text.
        text: ofDataset || some === rows ? text : `${text} (${some} of ${rows} rows)`,
      })),
  ]
}

/** The value without answers that were cut. */
function completeText({ complete, unit }: PairResult): string {
  if (!complete) return ''
  if (complete.value === undefined) return ''
  return `; the other ${complete.rows} score ${showValue({ value: complete.value, unit })}`
}

function counted(kind: RemarkKind, rows: number, text: string, detail?: string): Remark[] {
  return rows > 0 ? [{ kind, rows, text, ...(detail === undefined ? {} : { detail }) }] : []
}

/** Rows without an answer are excluded from the metric, so the remark states its value with them. */
function failedRemark({
  failed,
  unanswered = failed,
  answers,
  rows,
  value,
  valueIfFailedAreWrong: withFailed,
  unit,
}: PairResult): Remark[] {
  const say = (text: string) => counted('failed', failed, text)
  if (value === undefined) return say(failed === rows ? `none of ${rows} rows has a score` : `${failed} of ${rows} rows have no score`)
  const wrong = withFailed === undefined ? '' : ` (${showValue({ value: withFailed, unit })} if they count as wrong)`
  const lack = unanswered < failed ? 'score' : 'answer'
  const again = unanswered > 0 ? '; rolecall run -r --retry-errors sends them again' : ''
  return say(
    `${failed} of ${rows} rows have no ${lack}: ${showValue({ value, unit })} is over the other ${rows - failed - (answers.noGold ?? 0)}${wrong}${again}`,
  )
}
