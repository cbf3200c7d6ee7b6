import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import {
  dictGet,
  entriesOf,
  equals,
  getKey,
  isDictValue,
  isListValue,
  makeDict,
  strip,
  Tuple,
  truthy,
  type Value,
} from '@rolecall/core/internal/python'
import { escapePattern, guardedPattern } from '../../../python/regex/index.ts'
import type { Doc } from '../task/field.ts'
import { formatSpans } from './format-spans.ts'

/** The replies to one request, and its document. */
export type Replies = { replies: Value; doc: Doc }

/** Transforms the replies of a request; most filters transform each reply separately. */
export type ReplyFilter = (given: Replies) => Value

type Options = ReadonlyMap<string, Value>
type MakeFilter = (options: Options, where: string) => ReplyFilter

/** The filters of lm-evaluation-harness, by name. */
export const filters: Readonly<Record<string, { takes: readonly string[]; make: MakeFilter }>> = {
  take_first: { takes: [], make: (_, where) => (given) => listOf(given, where)[0] ?? noReply(where) },
  take_first_k: { takes: ['k'], make: takeFirst },
  majority_vote: { takes: [], make: (_, where) => (given) => [majorityOf(listOf(given, where))] },
  lowercase: { takes: [], make: onText((text) => text.toLowerCase()) },
  uppercase: { takes: [], make: onText((text) => text.toUpperCase()) },
  remove_whitespace: { takes: [], make: onText((text) => strip(text)) },
  format_span: { takes: [], make: onText(formatSpans) },
  map: { takes: ['mapping_dict', 'default_value'], make: mapReplies },
  regex: { takes: ['regex_pattern', 'group_select', 'fallback'], make: (options, where) => eachReply(where, byPattern(options, where)) },
  regex_pos: { takes: ['regex_pattern', 'group_select', 'fallback'], make: taggedWords },
  multi_choice_regex: {
    takes: ['regex_pattern', 'group_select', 'fallback', 'ignore_case', 'ignore_punctuation', 'regexes_to_ignore'],
    make: choiceByPattern,
  },
}

/** The filter with this name; unknown names and options are errors. */
export function filterNamed(name: string, options: Options, where: string): ReplyFilter {
  const found = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (found === undefined)
    throw new PromptError('unknown-filter', {
      where,
      problem: `there is no filter "${name}"`,
      fix: suggestName(name, Object.keys(filters)),
    })
  for (const key of options.keys())
    if (!found.takes.includes(key))
      throw new PromptError('unknown-option', {
        where: `${where}.${key}`,
        problem: `the filter "${name}" does not know it`,
        fix: found.takes.length === 0 ? 'leave it out' : suggestName(key, found.takes),
      })
  return found.make(options, where)
}

/** The replies one by one. The output of an earlier filter is iterated as in Python: a text by its characters. */
function listOf({ replies }: Replies, where: string): readonly Value[] {
  if (isListValue(replies)) return replies
  if (typeof replies === 'string') return [...replies]
  if (replies instanceof Tuple) return replies.items
  throw new PromptError('bad-filter', {
    where,
    problem: 'an earlier filter took one reply already',
    fix: 'let take_first be the last filter',
  })
}

function noReply(where: string): never {
  throw new PromptError('no-reply', { where, problem: 'there is no reply to take', fix: 'check repeats' })
}

function eachReply(where: string, change: (reply: Value, doc: Doc) => Value): ReplyFilter {
  return (given) => listOf(given, where).map((reply) => change(reply, given.doc))
}

function onText(change: (text: string) => string): MakeFilter {
  return (_, where) =>
    eachReply(where, (reply) => {
      if (typeof reply === 'string') return change(reply)
      throw new PromptError('bad-filter', { where, problem: 'a reply is not text', fix: 'let filters of text come first' })
    })
}

function takeFirst(options: Options, where: string): ReplyFilter {
  const count = Number(options.get('k') ?? 1)
  return (given) => {
    const replies = listOf(given, where)
    if (replies.length >= count) return replies.slice(0, count)
    throw new PromptError('too-few-replies', {
      where,
      problem: `${count} replies are needed, but there are ${replies.length}`,
      fix: 'raise repeats',
    })
  }
}

/** The most frequent reply; the first one if several tie. */
function majorityOf(replies: readonly Value[]): Value {
  const counts: { reply: Value; count: number }[] = []
  for (const reply of replies) {
    const known = counts.find((one) => equals(one.reply, reply))
    if (known) known.count++
    else counts.push({ reply, count: 1 })
  }
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).reply
}

function mapReplies(options: Options, where: string): ReplyFilter {
  const mapping = options.get('mapping_dict') ?? makeDict([])
  const fallback = options.get('default_value') ?? null
  if (!isDictValue(mapping))
    throw new PromptError('bad-filter', { where: `${where}.mapping_dict`, problem: 'it is not a map', fix: 'write "key: value" lines' })
  return eachReply(where, (reply) => getKey(mapping, reply) ?? fallback)
}

const defaultPattern = '#### (\\-?[0-9\\.\\,]+)'

/** `re.findall`: selects one match, and the first non-empty group of it. */
function byPattern(options: Options, where: string): (reply: Value) => Value {
  const find = matcher(String(options.get('regex_pattern') ?? defaultPattern), groupOf(options), where)
  const fallback = options.get('fallback') === undefined ? '[invalid]' : (options.get('fallback') ?? null)
  return (reply) => {
    const found = find(typeof reply === 'string' ? reply : '')
    return found === undefined || found === 'empty' ? fallback : found.text
  }
}

function groupOf(options: Options): number {
  return Number(options.get('group_select') ?? 0)
}

/** Selects a match; "empty" if all of its groups are empty. */
function matcher(pattern: string, select: number, where: string): (text: string) => { text: string } | 'empty' | undefined {
  const expression = guardedPattern(pattern)
  return (text) => {
    const all = expression.all(text)
    if (all.length === 0) return undefined
    const match = all[select < 0 ? all.length + select : select]
    if (match === undefined)
      throw new PromptError('no-match', {
        where: `${where}.group_select`,
        problem: `there is no match ${select}, only ${all.length}`,
        fix: 'take 0 or -1',
      })
    const { groups } = match
    if (groups.length === 0) return { text: strip(match.text) }
    if (groups.length === 1) return { text: strip(groups[0] ?? '') }
    const taken = groups.find((group) => group !== undefined && group !== '')
    return taken === undefined ? 'empty' : { text: strip(taken) }
  }
}

/** The tags of words written as Python tuples: `('mill', 'NOUN')`. */
function taggedWords(options: Options, where: string): ReplyFilter {
  const fallback = options.get('fallback') ?? '[invalid]'
  return eachReply(where, (reply) => {
    const tags = guardedPattern("\\('([^']*)', '([^']*)'\\)").all(typeof reply === 'string' ? reply : '')
    return tags.length === 0 ? fallback : tags.map(({ groups }) => groups[1]!)
  })
}

/** The letter of a choice: by the pattern, else by the text of a choice, else by a letter after a colon. */
function choiceByPattern(options: Options, where: string): ReplyFilter {
  const select = groupOf(options)
  const find = matcher(String(options.get('regex_pattern') ?? defaultPattern), select, where)
  const fallback = options.get('fallback') === undefined ? '[invalid]' : (options.get('fallback') ?? null)
  const clean = ignoring(options)
  return eachReply(where, (reply, doc) => {
    if (typeof reply !== 'string')
      throw new PromptError('bad-filter', { where, problem: 'a reply is not text', fix: 'let filters of text come first' })
    const column = dictGet(doc, 'choices') as Value
    // As in Python, a struct is its keys: the choices of some datasets are texts beside labels.
    const choices = isDictValue(column) ? entriesOf(column).map(([name]) => name) : column
    if (!isListValue(choices))
      throw new PromptError('missing-field', {
        where,
        problem: 'documents have no list "choices"',
        fix: 'use the filter "regex", or add the column',
      })
    const letters = new Map<string, string>()
    for (const [index, choice] of choices.entries()) letters.set(clean(strip(String(choice))), `(${String.fromCharCode(65 + index)})`)
    const texts = [...letters.keys()].sort((a, b) => [...b].length - [...a].length)
    const plain = choices.map((_, index) => String.fromCharCode(65 + index))
    return (
      nonEmpty(find(reply)) ??
      lettered(nonEmpty(matcher(texts.map(escapePattern).join('|'), select, where)(clean(reply))), letters) ??
      lettered(
        nonEmpty(matcher(`:[\\s]*(${plain.join('|')})`, select, where)(reply)),
        new Map(plain.map((letter) => [letter, `(${letter})`])),
      ) ??
      fallback
    )
  })
}

function nonEmpty(found: { text: string } | 'empty' | undefined): string | undefined {
  return found === undefined || found === 'empty' || found.text === '' ? undefined : found.text
}

function lettered(text: string | undefined, letters: ReadonlyMap<string, string>): string | undefined {
  return text === undefined ? undefined : (letters.get(text) ?? text)
}

function ignoring(options: Options): (text: string) => string {
  const patterns = options.get('regexes_to_ignore') ?? null
  const steps: ((text: string) => string)[] = []
  if (isListValue(patterns as Value))
    for (const pattern of patterns as readonly Value[]) steps.push((text) => guardedPattern(String(pattern)).without(text))
  if (truthy(options.get('ignore_case') ?? false)) steps.push((text) => text.toLowerCase())
  if (truthy(options.get('ignore_punctuation') ?? false)) steps.push((text) => text.replace(/\p{P}/gu, ''))
  return (text) => steps.reduce((rest, step) => step(rest), text)
}
