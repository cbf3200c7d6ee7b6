import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictGet,
  isList,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
  pyStr,
  splitSpace,
  strip,
  stripEnd,
  stripStart,
} from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, guardedPattern, splitBy } from '../../../../python/regex/index.ts'
import { splitSentences } from '../../../../python/word-split/split-sentences.ts'
import { tokenizeWords } from '../../../../python/word-split/word-tokenize.ts'
import { languageOf } from './language-of.ts'

/** Whether an answer follows an instruction; `given` holds its arguments. */
type Instruction = (answer: string, given: PyDict) => boolean

function argument(given: PyDict, name: string): PyValue {
  const value = dictGet(given, name)
  if (value !== undefined && value !== null) return value
  throw wrongGold(`an instruction has no "${name}"`, 'use rows as the loader of IFEval gives them')
}

const number = (given: PyDict, name: string) => Number(argument(given, name))
const text = (given: PyDict, name: string) => pyStr(argument(given, name))
const texts = (given: PyDict, name: string) => {
  const value = argument(given, name)
  return (isList(value) ? value : [value]).map((one) => pyStr(one))
}

/** "less than" or "at least" a number. */
function compares(found: number, given: PyDict, threshold: string, relation: string): boolean {
  const wanted = text(given, relation)
  if (wanted === 'less than') return found < number(given, threshold)
  if (wanted === 'at least') return found >= number(given, threshold)
  throw wrongGold(`the relation "${wanted}" is not known`, 'write "less than" or "at least"')
}

const occurrences = (pattern: string, answer: string) => guardedPattern(pattern, { ignoreCase: true }).all(answer).length

/** Checks line by line: a multi-line pattern would backtrack over every run of empty lines. */
const lines = (answer: string) => answer.split('\n')

const hasCase = (answer: string) => answer.toLowerCase() !== answer.toUpperCase()
const isUpper = (answer: string) => hasCase(answer) && answer === answer.toUpperCase()
const isLower = (answer: string) => hasCase(answer) && answer === answer.toLowerCase()

/** If the language cannot be detected, the instruction counts as followed. */
const isIn = (answer: string, language: string) => (languageOf(answer) ?? language) === language

/** The parts between dividers; the first and last may be empty, others may not. */
function filledParts(parts: readonly string[]): number | undefined {
  const empty = parts.flatMap((part, index) => (strip(part) === '' ? [index] : []))
  return empty.every((index) => index === 0 || index === parts.length - 1) ? parts.length - empty.length : undefined
}

function firstWord(paragraph: string): string {
  const [word = ''] = splitSpace(paragraph)
  return stripStart(stripStart(word, "'"), '"')
    .split(/[.,?!'"]/)[0]!
    .toLowerCase()
}

function isJson(answer: string): boolean {
  const prefixes = ['```json', '```Json', '```JSON', '```']
  let json = prefixes.reduce((rest, prefix) => (rest.startsWith(prefix) ? rest.slice(prefix.length) : rest), strip(answer))
  if (json.endsWith('```')) json = json.slice(0, -3)
  try {
    parseJson(strip(json))
    return true
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false
    throw error
  }
}

/** Lines that begin with a hyphen or a single asterisk; a lone asterisk takes the next line as its content. */
function bullets(answer: string): number {
  const starts = lines(answer).map((line) => stripStart(line))
  let found = count(starts, (start) => start.startsWith('-'))
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at]!
    if (!start.startsWith('*') || start[1] === '*') continue
    if (start.length === 1 && at === starts.length - 1) continue
    found++
    if (start.length === 1) at++
  }
  return found
}

const postscripts: Readonly<Record<string, string>> = { 'P.P.S': String.raw`p\.\s?p\.\s?s`, 'P.S.': String.raw`p\.\s?s\.` }

/** Google's verifiable instructions, by id. */
const instructions: Readonly<Record<string, Instruction>> = {
  'keywords:existence': (answer, given) => texts(given, 'keywords').every((word) => occurrences(word, answer) > 0),
  'keywords:frequency': (answer, given) => compares(occurrences(strip(text(given, 'keyword')), answer), given, 'frequency', 'relation'),
  'keywords:forbidden_words': (answer, given) =>
    texts(given, 'forbidden_words').every((word) => occurrences(String.raw`\b${word}\b`, answer) === 0),
  'keywords:letter_frequency': (answer, given) => {
    const letter = strip(text(given, 'letter')).toLowerCase()
    return compares(answer.toLowerCase().split(letter).length - 1, given, 'let_frequency', 'let_relation')
  },
  'language:response_language': (answer, given) => isIn(answer, text(given, 'language')),
  'length_constraints:number_sentences': (answer, given) => compares(splitSentences(answer).length, given, 'num_sentences', 'relation'),
  'length_constraints:number_words': (answer, given) => compares(findAll(String.raw`\w+`, answer).length, given, 'num_words', 'relation'),
  'length_constraints:number_paragraphs': (answer, given) =>
    filledParts(splitBy(String.raw`\s?\*\*\*\s?`, answer)) === number(given, 'num_paragraphs'),
  'length_constraints:nth_paragraph_first_word': (answer, given) => {
    const paragraphs = answer.split('\n\n')
    const filled = count(paragraphs, (one) => strip(one) !== '')
    const nth = number(given, 'nth_paragraph')
    const paragraph = nth <= filled ? strip(paragraphs[nth - 1]!) : ''
    return (
      paragraph !== '' && filled === number(given, 'num_paragraphs') && firstWord(paragraph) === text(given, 'first_word').toLowerCase()
    )
  },
  'detectable_content:number_placeholders': (answer, given) =>
    findAll(String.raw`\[.*?\]`, answer).length >= number(given, 'num_placeholders'),
  'detectable_content:postscript': (answer, given) => {
    const marker = strip(text(given, 'postscript_marker'))
    return occurrences(ownEntry(postscripts, marker) ?? marker.toLowerCase(), answer.toLowerCase()) > 0
  },
  'detectable_format:number_bullet_lists': (answer, given) => bullets(answer) === number(given, 'num_bullets'),
  'detectable_format:constrained_response': (answer) =>
    ['My answer is yes.', 'My answer is no.', 'My answer is maybe.'].some((option) => answer.includes(option)),
  'detectable_format:number_highlighted_sections': (answer, given) => {
    const single = findAll(String.raw`\*[^\n\*]*\*`, answer).filter((one) => strip(strip(one, '*')) !== '')
    const double = findAll(String.raw`\*\*[^\n\*]*\*\*`, answer).filter((one) => strip(one.slice(2, -2)) !== '')
    return single.length + double.length >= number(given, 'num_highlights')
  },
  'detectable_format:multiple_sections': (answer, given) => {
    const sections = guardedPattern(String.raw`\s?${strip(text(given, 'section_spliter'))}\s?\d+\s?`).all(answer)
    return sections.length >= number(given, 'num_sections')
  },
  'detectable_format:json_format': isJson,
  'detectable_format:title': (answer) =>
    findAll(String.raw`<<[^\n]+>>`, answer).some((title) => strip(stripEnd(stripStart(title, '<'), '>')) !== ''),
  'combination:two_responses': (answer) => {
    const responses = answer.split('******')
    const filled = responses.map((one) => strip(one)).filter((one) => one !== '')
    return filledParts(responses) === 2 && filled[0] !== filled[1]
  },
  'combination:repeat_prompt': (answer, given) =>
    strip(answer)
      .toLowerCase()
      .startsWith(strip(text(given, 'prompt_to_repeat')).toLowerCase()),
  'startend:end_checker': (answer, given) =>
    strip(strip(answer), '"')
      .toLowerCase()
      .endsWith(strip(text(given, 'end_phrase')).toLowerCase()),
  'startend:quotation': (answer) => {
    const said = strip(answer)
    return said.length > 1 && said.startsWith('"') && said.endsWith('"')
  },
  'change_case:capital_word_frequency': (answer, given) =>
    compares(count(tokenizeWords(answer), isUpper), given, 'capital_frequency', 'capital_relation'),
  'change_case:english_capital': (answer) => isUpper(answer) && isIn(answer, 'en'),
  'change_case:english_lowercase': (answer) => isLower(answer) && isIn(answer, 'en'),
  'punctuation:no_comma': (answer) => !answer.includes(','),
}

/** Whether an answer follows an instruction strictly, and whether it does without its first line, last line or asterisks. */
export function follows(answer: string, id: string, given: PyDict): { strict: boolean; loose: boolean } {
  const instruction = Object.hasOwn(instructions, id) ? instructions[id]! : undefined
  if (!instruction) throw unknownInstruction(id)
  const holds = (said: string) => strip(said) !== '' && instruction(said, given)
  const strict = holds(answer)
  return { strict, loose: strict || looseForms(answer).some(holds) }
}

function looseForms(answer: string): string[] {
  const all = answer.split('\n')
  const cut = [all.slice(1), all.slice(0, -1), all.slice(1, -1)].map((some) => strip(some.join('\n')))
  const plain = (said: string) => said.replaceAll('*', '')
  return [plain(answer), ...cut, ...cut.map(plain)]
}

function unknownInstruction(id: string): PromptError {
  return new PromptError('unknown-instruction', {
    where: 'the gold answer',
    problem: `the instruction "${id}" cannot be checked here`,
    fix: `use one of ${Object.keys(instructions).join(', ')}`,
  })
}
