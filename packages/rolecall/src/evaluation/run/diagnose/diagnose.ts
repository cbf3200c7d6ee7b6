import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { refuses } from '../read-answers.ts'
import type { RowRecord } from '../record/run-record.ts'
import { alternatives } from './alternatives.ts'
import { chooseAlternative, type JudgedReply } from './choose-alternative.ts'
import type { ScoreFinding } from './score-finding.ts'

/** The records of a pair, and how it was scored. */
export type PairToDiagnose = {
  records: readonly RowRecord[]
  /** Whether the score says how many replies are right by their gold answers. */
  isVerdict: boolean
  /** Whether a gold answer, given as the reply, is right. Undefined where gold answers are not replies. */
  acceptsGold?: ((gold: PyValue) => boolean) | undefined
}

/** What the formats of chats write around turns: none of it belongs into a reply. */
const markers: readonly string[] = [
  ...['<|im_start|>', '<|im_end|>', '<|eot_id|>', '<|start_header_id|>', '<|endoftext|>', '<|end|>', '<|user|>', '<|assistant|>'],
  ...['[INST]', '[/INST]', '<start_of_turn>', '<end_of_turn>', '<|eom_id|>', '<｜User｜>', '<｜Assistant｜>', '<eoh>', '<eoa>', '</s>'],
]

/** Below this share of the rows a finding would not explain a score, and below this number it may be chance. */
const leastShare = 0.02
const leastRows = 3

/**
 * Why a score may be low, from the recorded replies alone: how they would be scored otherwise, and what is wrong with replies, gold answers
 * and rows. Each row is part of one finding about replies; nothing is found in a run without faults.
 */
export function diagnose({ records, isVerdict, acceptsGold }: PairToDiagnose): ScoreFinding[] {
  const asked = records.filter(({ error }) => error === undefined)
  const wrong = asked.filter(({ score }) => score !== undefined && score < 1)
  const least = Math.max(leastRows, leastShare * asked.length)
  const explained = new Set<number>()
  const about = (code: ScoreFinding['code'], rows: readonly RowRecord[], text: (count: string) => string, fix: string): ScoreFinding[] => {
    const own = rows.filter(({ id }) => !explained.has(id))
    if (own.length < least) return []
    for (const { id } of own) explained.add(id)
    return [{ code, text: text(`${own.length} of ${asked.length} replies`), rows: own.map(({ id }) => id), fix }]
  }
  const cut = asked.filter(({ finish, id }) => finish === 'length' && wrong.some((one) => one.id === id))
  const isEndless = asked.length >= leastRows && asked.filter(({ finish }) => finish === 'length').length >= 0.8 * asked.length
  const marked = asked.filter(({ prediction }) => markers.some((marker) => texts(prediction).some((text) => text.includes(marker))))
  const replies = [
    ...about(
      'markers',
      marked,
      (count) =>
        `${count} contain markers of a chat format${shownMarkers(marked)}: the model does not stop where its turn ends, or its format is another one`,
      'set the format of the model (format, chat_template), or stop_words',
    ),
    ...(isEndless
      ? about(
          'never-stops',
          cut,
          (count) => `${count} ran into the token limit: the model does not stop`,
          'set the format of the model (format, chat_template) or stop_words; if replies are long, raise max_tokens',
        )
      : about(
          'cut',
          cut,
          (count) => `${count} were cut at the token limit and are wrong`,
          'raise max_tokens (max_out_len), or send them again: rolecall run -r --retry-cut 2x',
        )),
    ...about(
      'empty',
      wrong.filter(({ prediction, reasoning }) => isBlank(prediction) && isBlank(reasoning ?? '')),
      (count) => `${count} are empty`,
      'look at the prompt (rolecall render) and at stop_words',
    ),
    ...about(
      'in-reasoning',
      wrong.filter(isOnlyReasoned),
      (count) => `${count} have the gold answer in their reasoning only`,
      'raise max_tokens, or ask for the answer after the reasoning',
    ),
    ...about(
      'refused',
      wrong.filter(({ prediction }) => texts(prediction).some(refuses)),
      (count) => `${count} decline to answer`,
      'look at the system prompt, or count refusals apart',
    ),
    ...about(
      'other-language',
      wrong.filter(isOtherScript),
      (count) => `${count} are in another script than their gold answers`,
      'ask for the language in the prompt',
    ),
  ]
  return [...replies, ...(isVerdict ? otherScoring(asked, explained) : []), ...aboutRows(asked, acceptsGold)]
}

function otherScoring(asked: readonly RowRecord[], explained: ReadonlySet<number>): ScoreFinding[] {
  const judged = asked.flatMap(({ id, prediction, gold, score }): JudgedReply[] =>
    typeof prediction === 'string' && gold !== undefined && gold !== null && score !== undefined && !explained.has(id)
      ? [{ id, reply: prediction, gold, isRight: score === 1 }]
      : [],
  )
  const found = chooseAlternative(judged, alternatives())
  return found ? [found] : [...oneLetter(judged)]
}

function aboutRows(asked: readonly RowRecord[], acceptsGold: PairToDiagnose['acceptsGold']): ScoreFinding[] {
  const leaked = asked.filter(({ notes }) => notes?.some(({ code }) => code === 'example-is-question'))
  const bad = acceptsGold ? asked.filter(({ gold, score }) => gold !== undefined && gold !== null && score !== 1 && !acceptsGold(gold)) : []
  const first = new Map<string, number>()
  const repeated = asked.filter(({ id, row_hash: hash }) => {
    const known = first.has(hash)
    if (!known) first.set(hash, id)
    return known
  })
  return [
    ...(leaked.length === 0
      ? []
      : [
          {
            code: 'leaked-examples' as const,
            text: `${leaked.length} of ${asked.length} prompts show their own answer: an example is the row that is asked`,
            rows: leaked.map(({ id }) => id),
            fix: 'take the examples from other rows than `data` (examples: FILE, train_rows)',
          },
        ]),
    ...(bad.length === 0
      ? []
      : [
          {
            code: 'bad-gold' as const,
            text: `${bad.length} gold answers are not right by the check themselves`,
            rows: bad.map(({ id }) => id),
            fix: 'correct the gold answers, or read them like replies (dataset_postprocessor)',
          },
        ]),
    ...(repeated.length === 0
      ? []
      : [
          {
            code: 'duplicates' as const,
            text: `${repeated.length} of ${asked.length} rows repeat an earlier one`,
            rows: repeated.map(({ id }) => id),
            fix: 'remove the repetitions: they count twice',
          },
        ]),
  ]
}

/** One letter chosen far more often than it is right. */
function oneLetter(judged: readonly JudgedReply[]): ScoreFinding[] {
  const letterOf = (text: string) => /^\W*([A-J])\b/.exec(text)?.[1]
  const chosen = judged.flatMap(({ id, reply, gold, isRight }) => {
    const [said, right] = [letterOf(reply), letterOf(pyStr(gold))]
    return said !== undefined && right !== undefined ? [{ id, said, right, isRight }] : []
  })
  if (chosen.length < 20 || chosen.length < 0.8 * judged.length) return []
  return [...new Set(chosen.map(({ said }) => said))].flatMap((letter): ScoreFinding[] => {
    const [said, right] = [chosen.filter((one) => one.said === letter), chosen.filter((one) => one.right === letter)]
    const expected = right.length / chosen.length
    const error = Math.sqrt((expected * (1 - expected)) / chosen.length)
    const isPreferred = said.length / chosen.length > expected + Math.max(0.15, 4 * error)
    if (!isPreferred) return []
    const rows = said.filter(({ isRight }) => !isRight).map(({ id }) => id)
    const fix = 'shuffle the choices, or look at how they are shown (rolecall render)'
    return [
      {
        code: 'one-letter',
        text: `${letter} is chosen in ${said.length} of ${chosen.length} replies, and right in ${right.length}`,
        rows,
        fix,
      },
    ]
  })
}

function texts(value: PyValue): string[] {
  return (isList(value) ? value : [value]).flatMap((one) => (typeof one === 'string' ? [one] : []))
}

function isBlank(value: PyValue): boolean {
  return texts(value).every((text) => text.trim() === '')
}

/** A gold answer of one or two characters is in any reasoning. */
function isOnlyReasoned({ prediction, reasoning, gold }: RowRecord): boolean {
  const wanted = typeof gold === 'string' || typeof gold === 'number' ? String(gold).trim() : ''
  const isIn = (value: PyValue) => wanted !== '' && texts(value).some((text) => text.includes(wanted))
  return reasoning !== undefined && isBlank(prediction) && (isIn(reasoning) || wanted === '')
}

const scripts = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  chinese: /\p{Script=Han}/gu,
  arabic: /\p{Script=Arabic}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  korean: /\p{Script=Hangul}/gu,
}

function scriptOf(text: string): string | undefined {
  const counts = Object.entries(scripts).map(([name, pattern]) => [name, text.slice(0, 4_000).match(pattern)?.length ?? 0] as const)
  const letters = counts.reduce((all, [, count]) => all + count, 0)
  const [most] = counts.toSorted((one, other) => other[1] - one[1])
  return most && letters >= 3 && most[1] >= 0.6 * letters ? most[0] : undefined
}

/** A gold answer of words, and a reply of other letters. */
function isOtherScript({ prediction, gold }: RowRecord): boolean {
  if (typeof gold !== 'string') return false
  const [wanted, said] = [scriptOf(gold), scriptOf(texts(prediction).join('\n'))]
  return wanted !== undefined && said !== undefined && wanted !== said
}

function shownMarkers(rows: readonly RowRecord[]): string {
  const found = markers.filter((marker) => rows.some(({ prediction }) => texts(prediction).some((text) => text.includes(marker))))
  return found.length === 0 ? '' : ` (${found.slice(0, 3).join(' ')})`
}
