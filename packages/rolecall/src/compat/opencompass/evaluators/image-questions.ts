import {
  dictEntries,
  dictFromEntries,
  dictGet,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  pyStr,
  splitSpace,
  strip,
} from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { defineEvaluator, type EvaluatorDefinition, type Figures, verdict } from '../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../evaluation/score/evaluate/given.ts'
import { groupBy } from '../../../evaluation/score/evaluate/replicas.ts'
import { count, kept, mean, meanOf, percent, shareOf } from '../../../evaluation/score/evaluate/shares.ts'
import { normalizeSquad } from '../../../evaluation/score/evaluate/squad.ts'
import { search, substitute } from '../../../python/regex/index.ts'
import { readLiteral } from '../../../python/syntax/literal.ts'
import { levenshtein } from './edit-distance.ts'
import { jsonDict } from './json-dict.ts'

// Evaluators of AISBench for questions about images and long texts.

/** Contractions; each is also found with one of its apostrophes missing. */
const contractions =
  `ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've hasn't haven't he'd he'd've he's how'd
how'll how's isn't it'd it'd've it'll ma'am mightn't mightn't've might've mustn't must've needn't not've o'clock oughtn't 'ow's'at shan't
she'd've should've shouldn't shouldn't've somebody'd've somebody'll somebody's someone'd someone'd've someone'll someone's something'd
something'd've something'll that's there'd there'd've there're there's they'd they'd've they'll they're they've 'twas wasn't we'd've we've
weren't what'll what're what's what've when's where'd where's where've who'd who'd've who'll who's who've why'll why're why's won't would've
wouldn't wouldn't've y'all y'all'll y'all'd've you'd you'd've you'll you're you've`.split(/\s+/)

const spelled: Readonly<Record<string, string>> = Object.fromEntries([
  ...contractions.flatMap((word) =>
    [...word.matchAll(/'/g)].map(({ index }) => [word.slice(0, index) + word.slice(index + 1), word] as const),
  ),
  ["somebody'd", 'somebodyd'],
])

const numbers = 'zero one two three four five six seven eight nine ten'.split(' ')

/** A word as VQA's evaluation writes it. */
function plainWord(word: string): string {
  const number = word === 'none' ? 0 : numbers.indexOf(word)
  return number >= 0 ? String(number) : (ownEntry(spelled, word) ?? word)
}

/** Removes punctuation that stands beside a space, and all of it if there is a number with a comma; other punctuation becomes a space. */
function withoutPunctuation(text: string): string {
  const hasComma = search(String.raw`\d,\d`, text) !== null
  let rest = text
  for (const mark of ';/[]"{}()=+\\_-><@`,?!') {
    const isAlone = hasComma || text.includes(`${mark} `) || text.includes(` ${mark}`)
    rest = rest.replaceAll(mark, isAlone ? '' : ' ')
  }
  // As in the reference, at most 32 full stops are removed.
  let removed = 0
  return substitute(String.raw`\.(?!\d)`, () => (removed++ < 32 ? '' : '.'), rest)
}

function plainAnswer(text: string): string {
  const line = strip(text.replaceAll('\n', ' ').replaceAll('\t', ' '))
  const said = ['☞', '☟', '☜', '<unk>', '<|im_end|>', '<|endoftext|>'].reduce((rest, token) => rest.replaceAll(token, ''), line)
  const words = splitSpace(withoutPunctuation(said).toLowerCase())
  return words
    .map(plainWord)
    .filter((word) => !['a', 'an', 'the'].includes(word))
    .join(' ')
}

/** The agreement with the other people's answers: each is left out once, with those that equal it in every field; three are enough. */
function agreement(said: string, given: readonly PyValue[]): number {
  const texts = given.map((one) => {
    const answer = isDict(one) ? dictGet(one, 'answer') : undefined
    if (answer === undefined) throw wrongGold('it is not a list of { answer }', 'use rows as TEXTVQADataset gives them')
    return pyStr(answer)
  })
  const golds = new Set(texts).size > 1 ? texts.map(withoutPunctuation) : texts
  const keys = given.map((one, index) => pyStr(dictFromEntries([...dictEntries(one as PyDict), ['answer', golds[index]!]])))
  return mean(keys.map((left) => Math.min(1, count([...golds.keys()], (index) => keys[index] !== left && golds[index] === said) / 3)))
}

function vqa(name: string, does: string, read: (said: string) => string): EvaluatorDefinition<unknown, never> {
  const gold = ['red', 'red', 'red', 'red', 'blue'].map((answer, answer_id) => ({ answer, answer_id }))
  return defineEvaluator({
    names: [name],
    does,
    example: { answers: ['The red.', 'green'], gold: [gold, gold], figures: { accuracy: 50 } },
    ...meanOf('accuracy'),
    goldIsNoReply: true,
    judge({ prediction, reference }) {
      const score = agreement(
        plainAnswer(read(answerText(prediction))),
        isList(reference) && reference.length > 0 ? reference : [reference],
      )
      return { score, detail: { pred: prediction, answer: reference, correct: score > 0.5 } }
    },
  })
}

export const textVqa = vqa(
  'TEXTEvaluator',
  'How many people gave this answer, three being enough; articles, punctuation and spelled-out numbers do not matter. TextVQA of AISBench.',
  (said) => said,
)
export const textVqaBoxed = vqa(
  'TEXTEvaluatorForGlm4v',
  'As TEXTEvaluator, with the text between <|begin_of_box|> and <|end_of_box|>, if there is one.',
  (said) => strip(search(String.raw`<\|begin_of_box\|>(.*?)<\|end_of_box\|>`, said)?.[1] ?? said),
)

/** The option that an answer names by its letter among the last words, or else the only one whose text it contains; "Z" for a refusal. */
function namedOption(answer: string, choices: ReadonlyMap<string, string>): string | undefined {
  if (answer.includes('Failed to obtain answer via API')) return undefined
  if (refusals.some((refusal) => answer.includes(refusal))) return 'Z'
  const words = splitSpace([...'.()[],:;!*#{}'].reduce((rest, mark) => rest.replaceAll(mark, ' '), answer))
  const named = [...choices.keys()].filter((letter) => words.includes(letter))
  if (named.length === 0 && words.includes('Z')) return 'Z'
  if (named.length === 1 && words.indexOf(named[0]!) > words.length - 5) return named[0]
  const texts = [...choices.values()]
  if ([...answer].length > 2 * texts.reduce((sum, text) => sum + [...text].length, 0)) return undefined
  const found = [...choices].filter(([, text]) => answer.toLowerCase().includes(text.toLowerCase()))
  return found.length === 1 ? found[0]![0] : undefined
}

const refusals = [
  "Sorry, I can't help with images of people yet.",
  "I can't process this file.",
  "I'm sorry, but without the image provided",
  'Cannot determine the answer',
]

type Answered = { correct: boolean; category: string }

export const mmStar = defineEvaluator({
  names: ['MMStarEvaluator'],
  does: 'Right when the letter among the last words of the answer, or the only option whose text it contains, is the gold one; also for each category. MMStar of AISBench.',
  example: {
    answers: ['The answer is B.', 'a cat'],
    gold: ['B', 'B'].map((answer) => ({ choices: '{"A": "cat", "B": "dog"}', answer, category: 'animals' })),
    figures: { Overall: 50 },
  },
  ...shareOf('Overall'),
  goldIsNoReply: true,
  judge({ prediction, reference }) {
    const field = (name: string) => (isDict(reference) ? dictGet(reference, name) : undefined)
    const choices = field('choices')
    const options = typeof choices === 'string' ? jsonDict(choices) : undefined
    if (options === undefined) throw wrongGold('it has no "choices" in JSON', 'use rows as MMStarDataset gives them')
    const texts = new Map(dictEntries(options).map(([letter, text]) => [letter, pyStr(text)]))
    const correct = namedOption(pyStr(prediction), texts) === field('answer')
    return kept(correct, { pred: prediction, answer: reference }, { correct, category: pyStr(field('category') ?? null) })
  },
  summarise(rows: readonly Answered[]): Figures {
    const share = (some: readonly Answered[]) =>
      percent(
        count(some, ({ correct }) => correct),
        some.length,
      )
    const groups = [...groupBy(rows, ({ category }) => category)].map(([name, some]) => [name, share(some)] as const)
    return { Overall: share(rows), ...Object.fromEntries(groups) }
  },
})

/** The distance of two texts as a share of the longer one. */
function distance(gold: string, said: string): number {
  const plain = (text: string) => splitSpace(text.toLowerCase()).join(' ')
  const longest = Math.max([...gold].length, [...said].length)
  return longest === 0 ? 0 : levenshtein(plain(gold), plain(said)) / longest
}

export const documentAnswers = defineEvaluator({
  names: ['DocVQAEvaluator', 'InfoVQAEvaluator'],
  does: 'How near the answer is to the nearest gold answer by edit distance, 0 if less than half agrees (ANLS). DocVQA and InfoVQA of AISBench.',
  example: { answers: ['Berlin', 'Rome'], gold: [['berlin', 'Bonn'], ['Paris']], figures: { 'ANLS Acc': 50 } },
  ...meanOf('ANLS Acc'),
  goldIsNoReply: true,
  judge({ prediction, reference }) {
    const golds: PyValue | undefined = typeof reference === 'string' ? readLiteral(reference) : reference
    if (golds === undefined || !isList(golds) || golds.length === 0)
      throw wrongGold('it is not a list of answers', "give one as ['Berlin']")
    const said = strip(answerText(prediction).replaceAll('<|im_end|>', ''))
    const near = 1 - Math.min(...golds.map((gold) => distance(pyStr(gold), said)))
    const score = near < 0.5 ? 0 : near
    return { score, detail: { pred: prediction, answer: golds, correct: score > 0 } }
  },
})

export const realWorldQa = defineEvaluator({
  names: ['RealworldQAEvaluator'],
  does: 'Right when what follows "ANSWER:" on its line is the gold answer, whatever its case. RealWorldQA of AISBench.',
  example: { answers: ['So ANSWER: Left', 'left'], gold: ['left', 'left'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const pred = strip(search(String.raw`ANSWER:\s*(.*)`, answerText(prediction))?.[1] ?? '')
    return verdict(pred.toLowerCase() === strip(goldText(reference)).toLowerCase(), { pred, answer: reference })
  },
})

/** Code output without what formats write differently. */
function plainOutput(text: string): string {
  const line = substitute(String.raw`\s+`, ' ', text)
  const marks: readonly (readonly [string, string])[] = [
    [',', ''],
    ["'", ''],
    ['\\', ''],
    ['.0', ''],
    ['] [', ']['],
    ['[ [', '[['],
    ['] ]', ']]'],
  ]
  return strip(marks.reduce((rest, [mark, by]) => rest.replaceAll(mark, by), line))
}

export const codeUnderstanding = defineEvaluator({
  names: ['CodeUEvaluator'],
  does: 'Right when the words after "the final output", or else the last words, as many as the gold answer has and three more, are the gold answer but for articles, punctuation and case. L-Eval of AISBench.',
  example: { answers: ['4 5 6', '4 5'], gold: ['1 2 3 4 5 6', '4 5'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const gold = goldText(reference)
    const size = splitSpace(gold).length + 3
    const fillers = ['will be', 'of the code', 'is', 'would be', 'the value of', 'the result of', 'printed']
    const said = fillers.reduce((rest, filler) => rest.replaceAll(filler, ''), plainOutput(answerText(prediction)))
    const isMarked = said.includes('the final output')
    const words = (isMarked ? said.split('the final output').at(-1)! : said).split(/\s+/)
    const pred = (isMarked ? words.slice(0, size) : words.slice(-size)).join(' ')
    return verdict(normalizeSquad(pred) === normalizeSquad(plainOutput(gold)), { pred, answer: gold })
  },
})

/** The first "true" or "false": as a word, or else within one. */
function truthIn(text: string, wholeFirst: boolean): string | undefined {
  const words = splitSpace(text.toLowerCase())
  const whole = wholeFirst ? words.map((word) => strip(word, '.,;:!')).find((word) => word === 'true' || word === 'false') : undefined
  const within = words.find((word) => word.includes('true') || word.includes('false'))
  return whole ?? (within === undefined ? undefined : within.includes('true') ? 'true' : 'false')
}

export const loyalty = defineEvaluator({
  names: ['SciFiEvaluator'],
  does: 'Right when the first "true" or "false" before "[fact:" is that of the gold answer. L-Eval of AISBench.',
  example: { answers: ['False. [fact: True]', 'perhaps'], gold: ['False [fact: True]', 'True'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const pred = truthIn(answerText(prediction).toLowerCase().split('[fact:')[0]!, true) ?? null
    const answer = truthIn(goldText(reference), false)
    return verdict(answer !== undefined && pred === answer, { pred, answer: reference })
  },
})
