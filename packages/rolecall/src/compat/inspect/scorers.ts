import { casefold, pyRound, splitSpace, strip } from '@rolecall/core/internal/python'
import { guardedPattern } from '../../python/regex/index.ts'
import { isMatch, type MatchOptions, normalText } from './match-text.ts'
import { choiceIndex, choiceLetter } from './task-rows.ts'

/** A reply with the target of its row, and how many choices the question has. */
export type ScoredReply = { reply: string; target: string; choices: number; severalCorrect: boolean }

/** Inspect's `includes`. */
export function includesTarget(
  { reply, target }: ScoredReply,
  { ignore_case: folds = true }: { ignore_case?: boolean | undefined },
): boolean {
  return folds ? casefold(reply).includes(casefold(target)) : reply.includes(target)
}

export function matchesTarget({ reply, target }: ScoredReply, options: MatchOptions): boolean {
  return isMatch(reply, target, options)
}

type PatternOptions = { pattern: string; ignore_case?: boolean | undefined; match_all?: boolean | undefined }

/** Inspect's `pattern`: a group of the first match is the target, or with `match_all` every group is. */
export function patternFindsTarget(
  { reply, target }: ScoredReply,
  { pattern, ignore_case: ignoreCase = true, match_all: all = false }: PatternOptions,
): boolean {
  const found = guardedPattern(pattern, { ignoreCase }).first(reply)
  return found !== undefined && groupsMatch(found.groups, target, ignoreCase, all)
}

function groupsMatch(groups: readonly (string | undefined)[], target: string, ignoreCase: boolean, all = false): boolean {
  const lower = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const given = groups.flatMap((group) => group ?? [])
  const isTarget = (group: string) => lower(group) === lower(target)
  return given.length > 0 && (all ? given.every(isTarget) : given.some((group) => group !== '' && isTarget(group)))
}

/** Inspect's `answer`: the letter, the word or the line after the last "ANSWER:". */
export function answerIsTarget({ reply, target }: ScoredReply, { pattern }: { pattern: 'letter' | 'word' | 'line' }): boolean {
  const found = pattern === 'line' ? lineAnswer(reply) : lastAnswer(reply, pattern)
  return found !== undefined && groupsMatch([found], target, true)
}

function lineAnswer(reply: string): string | undefined {
  return guardedPattern(String.raw`ANSWER\s*:\s*([^\n]+)\s*\Z`, { ignoreCase: true }).first(reply)?.groups[0]
}

function lastAnswer(reply: string, kind: 'letter' | 'word'): string | undefined {
  const last = guardedPattern(String.raw`ANSWER\s*:\s*`, { ignoreCase: true }).all(reply).at(-1)
  if (last === undefined) return undefined
  const rest = reply.slice(last.index + last.text.length)
  if (kind === 'letter') return /^([A-Za-z])(?:\W|$)/u.exec(rest)?.[1]
  // A word ends its line, a full stop aside.
  const [, word, space = ''] = /^(\S+)(\s*)/u.exec(rest) ?? []
  if (word === undefined || (!space.includes('\n') && word.length + space.length < rest.length)) return undefined
  return word.length > 1 ? word.replace(/[.,;:!?]$/, '') : word
}

/** Inspect's `exact`. */
export function isExact({ reply, target }: ScoredReply): boolean {
  return strip(target) !== '' && normalText(reply) === normalText(target)
}

/** Inspect's `f1`: of the words that reply and target have in common. */
export function f1Score(
  { reply, target }: ScoredReply,
  { stop_words: stops = [] }: { stop_words?: readonly string[] | undefined },
): number {
  if (strip(target) === '') return 0
  const words = (text: string) => new Set(splitSpace(normalText(text, stops)))
  const [said, gold] = [words(reply), words(target)]
  const common = [...said].filter((word) => gold.has(word)).length
  const precision = said.size === 0 ? 1 : common / said.size
  const recall = gold.size === 0 ? 1 : common / gold.size
  return precision + recall === 0 ? 0 : pyRound((2 * precision * recall) / (precision + recall), 2)
}

/** Inspect's `choice`: the letters after "ANSWER:" are those of the target. */
export function choiceIsTarget(scored: ScoredReply): boolean {
  const chosen = chosenLetters(scored).map((letter) => choiceIndex(letter)!)
  const wanted = [...scored.target].filter((character) => character !== ',' && character !== ' ').map(choiceIndex)
  const sorted = (positions: readonly (number | undefined)[]) => [...positions].sort((a, b) => (a ?? -1) - (b ?? -1)).join()
  return sorted(chosen) === sorted(wanted)
}

const strict = String.raw`^ANSWER\s*:\s*([A-Za-z\d ,]+)\s*(?:$|\n|\.)`
const lenient = String.raw`ANSWER\s*:\s*([A-Za-z\d ,]+)(?:[^\w]|\n|$|\.)`

function chosenLetters({ reply, choices, severalCorrect }: ScoredReply): string[] {
  const lines = guardedPattern(strict, { ignoreCase: true, multiline: true }).all(reply)
  const found = (lines.length > 0 ? lines : guardedPattern(lenient, { ignoreCase: true }).all(reply)).at(-1)?.groups[0]
  if (found === undefined) return []
  const said = strip(found).replace(/\.+$/, '').toUpperCase()
  const known = new Set(Array.from({ length: choices }, (_, index) => choiceLetter(index)))
  const areKnown = (letters: readonly string[]) => letters.every((letter) => known.has(letter))
  if (!severalCorrect) {
    const tokens = said.split(',').filter((token) => token !== '')
    return tokens.length === 1 && areKnown(tokens) ? tokens : []
  }
  const joined = said.replaceAll(' AND ', ',').replaceAll(' ', '')
  const byComma = [...new Set(joined.split(',').filter((token) => token !== ''))]
  if (areKnown(byComma)) return byComma
  const byLetter = [...new Set(joined)]
  return areKnown(byLetter) ? byLetter : []
}
