import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, isList, type PyValue, pyEqual, pyStr, stripEnd } from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { columnOf } from '../../../../evaluation/score/evaluate/given.ts'
import { count } from '../../../../evaluation/score/evaluate/shares.ts'
import { escapePattern, guardedPattern } from '../../../../python/regex/index.ts'

/** Decoration around an answer: brackets, dollars, asterisks, \boxed{ and the like. */
const opening = String.raw`(?:[\*\$\{(\[\\]*?(?:(?:\\boxed|\\mathbf|\\mathrm|\\text)\{)?)*\s*`
const closing = String.raw`(?:\\?\}?\$?\)?\]?\}?)*(?:[\s:\.\*)]|$)`

function announcements(wanted: string, is: string, mark: string): string[] {
  return [
    String.raw`[Tt]he\s+(?:\w+\s+)?(?:answer|option)(?:\w+\s+)?\s+${is}:?\s*${opening}(${wanted})${closing}`,
    `[Aa][Nn][Ss][Ww][Ee][Rr]${mark}${opening}(${wanted})${closing}`,
    String.raw`^[^\w\r\n]*${opening}(${wanted})${closing}`,
  ]
}

/** The first pattern that matches the last line, else the whole text. */
function firstOf(patterns: readonly string[], text: string, ignoreCase: boolean): string | undefined {
  const whole = stripEnd(text)
  for (const place of new Set([whole.slice(whole.lastIndexOf('\n') + 1), whole])) {
    for (const pattern of patterns) {
      const found = guardedPattern(pattern, { ignoreCase }).first(place)
      if (found) return found.groups[0]
    }
  }
  return undefined
}
const letterPatterns = announcements('[ABCDEFGHIJ]', 'is?', String.raw`[\*\s]*:\s*`)

/** The letter that a text announces, else the letter of the option whose text it announces; null if it announces none. */
function chosen(text: string, options: readonly string[]): string | null {
  const letter = firstOf(letterPatterns, text, true)
  if (letter !== undefined) return letter
  const words = firstOf(announcements(options.map(escapePattern).join('|'), 'is', String.raw`\s*`), text, false)
  const place = words ? options.indexOf(words) : -1
  return place < 0 ? null : String.fromCharCode(65 + place)
}

type Kept = { outcome: 'right' | 'wrong' | 'missing' | 'error'; difficulty: string }

const levels = ['hard', 'middle', 'easy'] as const

export const superGpqa = defineEvaluator({
  names: ['SuperGPQAEvaluator'],
  does: 'Right when the announced letter, else the announced words of an option, are those of `answer_letter`. Figures are shares, not per cent; also for each `difficulty`.',
  example: {
    answers: ['The answer is (B).', 'No idea'],
    gold: ['B', 'A'],
    rows: ['B', 'A'].map((answer_letter) => ({
      prompt_mode: 'zero-shot',
      options: ['iron', 'gold'],
      answer_letter,
      answer: '?',
      difficulty: 'easy',
    })),
    figures: { accuracy: 0.5 },
  },
  metric: 'accuracy',
  kind: 'verdict',
  unit: 'share',
  range: [0, 1],
  needsReference: true,
  interval: 'scores',
  beside: ['hard_accuracy', 'middle_accuracy', 'easy_accuracy', 'miss_rate'].map((metric) => ({
    metric,
    unit: 'share',
    ...(metric === 'miss_rate' ? { direction: 'lower' as const } : {}),
  })),
  judge({ prediction, reference, row }) {
    const letter = columnOf(row, 'answer_letter')
    if (!pyEqual(letter, reference)) throw wrongLetter(letter, reference)
    const difficulty = pyStr(columnOf(row, 'difficulty'))
    if (!(levels as readonly string[]).includes(difficulty)) throw wrongLevel(difficulty)
    const pred = typeof prediction === 'string' ? extracted(prediction, row) : 'error'
    const outcome = pred === null ? 'missing' : pyEqual(pred, letter) ? 'right' : pred === 'error' ? 'error' : 'wrong'
    const correct = outcome === 'right'
    const detail = { pred: prediction, answer: dictGet(row, 'answer') ?? null, parsed_answer: pred, correct }
    return { score: Number(correct), detail, keep: { outcome, difficulty } satisfies Kept as Kept }
  },
  summarise(rows: readonly Kept[]): Figures {
    const share = (some: readonly Kept[], wanted: Kept['outcome']) =>
      some.length === 0 ? 0 : count(some, ({ outcome }) => outcome === wanted) / some.length
    return {
      accuracy: share(rows, 'right'),
      error_rate: share(rows, 'error'),
      miss_rate: share(rows, 'missing'),
      ...Object.fromEntries(
        levels.map((level) => [
          `${level}_accuracy`,
          share(
            rows.filter((row) => row.difficulty === level),
            'right',
          ),
        ]),
      ),
    }
  },
})

function extracted(text: string, row: Parameters<typeof columnOf>[0]): PyValue {
  const given = columnOf(row, 'options')
  if (!isList(given)) return 'error'
  const options = given.map((option) => pyStr(option))
  if (pyStr(columnOf(row, 'prompt_mode')) !== 'five-shot') return chosen(text, options)
  // After few-shot examples a model continues with questions it makes up.
  return chosen(text.split('Question:')[0]!, options) ?? chosen(text, options)
}

function wrongLetter(letter: PyValue, reference: PyValue): PromptError {
  return new PromptError('wrong-gold', {
    where: 'the gold answer',
    problem: `it is ${pyStr(reference)}, and the column answer_letter says ${pyStr(letter)}`,
    fix: 'set reader_cfg.output_column to answer_letter',
  })
}

function wrongLevel(difficulty: string): PromptError {
  return new PromptError('wrong-column', {
    where: 'the column "difficulty" of the row',
    problem: `it is "${difficulty}"`,
    fix: `it is one of ${levels.join(', ')}`,
  })
}
