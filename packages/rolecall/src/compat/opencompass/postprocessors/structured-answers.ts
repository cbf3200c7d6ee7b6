import { strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern } from '../../../python/regex/index.ts'
import { escapeLoneBackslashes } from './json-repair.ts'

/** Marks that begin a next turn or end this one, in the formats used to run T-Eval. */
const turnEnds = ['<eoa>', '<TOKENS_UNUSED_1>', '<|im_end|>', '\nuser', '\nUSER', '[INST]']

export const teval = definePostprocessor({
  names: ['teval', 'teval_postprocess'],
  does: 'The JSON that the answer is: up to the end of the turn, without the marks of a block of code and without double braces.',
  example: { answer: '```json\n{"name": "search"}\n```<|im_end|>', becomes: '{"name": "search"}' },
  process(text) {
    const turn = strip(turnEnds.reduce((rest, end) => rest.split(end)[0]!, text))
    const json = strip(strip(turn.startsWith('```json') ? turn.slice('```json'.length) : turn, '`'))
    return json.startsWith('{{') && json.endsWith('}}') ? json.slice(1, -1) : json
  },
})

export const atlas = definePostprocessor({
  names: ['atlas_pred_postprocess'],
  does: 'The JSON of the answers, as a text, from a block of code or from where "answers": begins, with `extract_error`.',
  example: { answer: '```json\n{"answers": ["4"]}\n```', becomes: { extract_error: false, answers: '{"answers": ["4"]}' } },
  options: z.strictObject({
    think_tags: z
      .tuple([z.string(), z.string()])
      .default(['<think>', '</think>'])
      .describe('Where thinking begins and ends; the answer follows the last end.'),
    only_answers: z.boolean().default(false).describe('Only the JSON, which is what a judge is shown.'),
  }),
  finds: true,
  process(text, { think_tags: [, end], only_answers: isShown }) {
    const made = (error: boolean, answers: string) => (isShown ? answers : { extract_error: error, answers })
    const answer = text.split(end).at(-1)!
    const block =
      guardedPattern('```json\\n(.*?)\\n```', { dotAll: true }).first(answer) ??
      guardedPattern('```(.*?)```', { dotAll: true }).first(answer)
    if (block) return made(false, escapeLoneBackslashes(strip(block.groups[0] ?? '')))
    if (!answer.includes('"answers":')) return notFound(made(true, '{"answers": []}'))
    return made(false, escapeLoneBackslashes(`{\n"answers"${answer.split('"answers"').at(-1)!}`))
  },
})

const signs = [
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['^', '**'],
  ['\\“', '"'],
  ['\\”', '"'],
  ['’', "'"],
  ['`', ''],
  ['$', ''],
] as const

export const formula = definePostprocessor({
  names: ['mydataset_postprocess'],
  does: "The first line as a formula in Python's signs, without anything but words, numbers and signs of calculation.",
  example: { answer: '$y = 3×x^2$, as it seems', becomes: 'y = 3*x**2 as it seems' },
  process(text) {
    const written = signs.reduce((rest, [sign, python]) => rest.replaceAll(sign, python), text)
    return strip(guardedPattern(String.raw`[^\w\s\+\-\*/\^\=\.\(\)]`).without(strip(strip(written).split('\n')[0]!)))
  },
})
