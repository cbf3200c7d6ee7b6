import { PromptError } from '@rolecall/core/internal/errors'
import { strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern, search } from '../../../python/regex/index.ts'

/** The first group of the first match; undefined without a match. */
function firstGroup(pattern: string, text: string): string | undefined {
  const found = guardedPattern(pattern).first(text)
  if (!found) return undefined
  if (found.groups.length > 0) return found.groups[0] ?? ''
  throw new PromptError('bad-pattern', {
    where: `the pattern ${JSON.stringify(pattern)}`,
    problem: 'it has no group, so that nothing says what the answer is',
    fix: 'put parentheses around the answer: "Answer: (.*)"',
  })
}

export const matchAnswerPattern = definePostprocessor({
  names: ['match_answer_pattern'],
  does: 'What the first group of a regular expression matches; nothing where it does not match.',
  example: { options: { answer_pattern: 'ANSWER:\\s*([A-D])' }, answer: 'ANSWER: C', becomes: 'C' },
  options: z.strictObject({ answer_pattern: z.string().describe("A regular expression of Python's with a group.") }),
  finds: true,
  process: (text, { answer_pattern: pattern }) => firstGroup(pattern, text) ?? notFound(),
})

export const thinkPred = definePostprocessor({
  names: ['think_pred', 'think_pred_postprocess'],
  does: 'What the first group of a regular expression matches, without white space around it; all of the answer where it does not match.',
  example: { options: { re_pattern: '\\[(.*?)\\]' }, answer: 'so: [B]', becomes: 'B' },
  options: z.strictObject({ re_pattern: z.string().describe("A regular expression of Python's with a group.") }),
  finds: true,
  process(text, { re_pattern: pattern }) {
    const found = firstGroup(pattern, text)
    return found === undefined ? notFound(text) : strip(found)
  },
})

export const extractNonReasoning = definePostprocessor({
  names: ['extract-non-reasoning-content', 'extract_non_reasoning_content'],
  does: 'The answer without what the model thought: without <think>…</think>, or what comes after the last </think>.',
  example: { answer: '<think>1+1…</think>2', becomes: '2' },
  options: z.strictObject({
    think_start_token: z.string().default('<think>').describe('Where thinking begins; read as a regular expression.'),
    think_end_token: z.string().default('</think>').describe('Where thinking ends; read as a regular expression.'),
  }),
  process(text, { think_start_token: begin, think_end_token: end }) {
    if (!text.includes(begin) && text.includes(end)) return strip(text.split(end).at(-1)!)
    return strip(guardedPattern(`${begin}(.*?)${end}`, { dotAll: true }).without(text))
  },
})

export const xmlTag = definePostprocessor({
  names: ['specific-xml-tag', 'xml_tag_postprocessor'],
  does: 'What stands in the last element of this name; "NO ANSWER FOUND" where there is none.',
  example: { options: { tag: '<answer>' }, answer: '<answer>42</answer>', becomes: '42' },
  options: z.strictObject({ tag: z.string().describe('The opening tag with its brackets: "<conclude>".') }),
  finds: true,
  process(text, { tag }) {
    const found = guardedPattern(`${tag}(.*?)</${[...tag].slice(1, -1).join('')}>`, { dotAll: true }).all(text)
    return found.length > 0 ? strip(found.at(-1)!.groups[0] ?? '') : notFound('NO ANSWER FOUND')
  },
})

/** ArxivRollBench: what one of the patterns finds in the whole answer, else the answer. */
const arxivRoll = (
  task: string,
  does: string,
  answer: string,
  becomes: string,
  patterns: readonly string[],
  written: (found: string) => string,
) =>
  definePostprocessor({
    names: [`arxivrollbench_${task}_postprocess`],
    does,
    example: { answer, becomes },
    finds: true,
    process(text) {
      const stripped = strip(text)
      const found = patterns.map((pattern) => search(pattern, stripped)?.[1]).find((one) => one !== undefined)
      return found === undefined ? notFound(stripped) : written(found)
    },
  })

export const arxivRollSelection = arxivRoll(
  'selection',
  '"Selection 1" to "Selection 4": what the answer calls so, else its first number from 1 to 4.',
  'I choose selection 2.',
  'Selection 2',
  [String.raw`(?i)\bselection\s*([1-4])\b`, String.raw`\b([1-4])\b`],
  (number) => `Selection ${number}`,
)

export const arxivRollChoice = arxivRoll(
  'choice',
  'The first A, B, C or D that is a word, whatever its case.',
  'It is (c).',
  'C',
  [String.raw`(?i)\b([ABCD])\b`],
  (letter) => letter.toUpperCase(),
)
