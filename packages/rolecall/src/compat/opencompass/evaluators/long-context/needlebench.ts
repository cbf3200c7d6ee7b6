import type { PromptError } from '@rolecall/core/internal/errors'
import { intOf, splitSpace } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, meanOf, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { substitute } from '../../../../python/regex/index.ts'
import { levenshtein } from '../edit-distance.ts'

const dense = (text: string) => substitute(String.raw`\s+`, '', text)

/** A gold answer "needle*keyword". */
function needleOf(gold: string): { needle: string; keyword: string } {
  const [needle = '', keyword] = gold.split('*')
  if (keyword === undefined) throw noKeyword()
  return { needle, keyword }
}

function noKeyword(): PromptError {
  return wrongGold('it has no keyword', 'write "needle*keyword", as the loader of NeedleBench does')
}

/** Truncates an answer to about the needle's length: what a model adds does not count. */
function trimmed(prediction: string, reference: string): string {
  const [said, right] = [[...prediction], [...reference]]
  const from = Math.trunc(0.8 * right.length)
  const start = said.slice(0, Math.trunc(1.2 * right.length))
  const end = start.length > from && right.length > 0 ? start.indexOf(right.at(-1)!, from) : -1
  return (end < 0 ? start : start.slice(0, end + 1)).join('')
}

export const needleBenchOrigin = defineEvaluator({
  names: ['NeedleBenchOriginEvaluator'],
  ofNothing: { score: 0 },
  does: 'Right when the keyword of a gold answer "needle*keyword" occurs in the answer; else a fifth of how near the answer is to the needle, by edit distance.',
  example: { answers: ['It is red', 'it is blue'], gold: ['It is red*red', 'it is green*green'], figures: { score: 55.56 } },
  options: z.strictObject({ use_trim: z.boolean().default(false).describe('Cut off what an answer says after the needle.') }),
  with: ({ use_trim }) => ({
    ...meanOf('score'),
    judge({ prediction, reference }) {
      const { needle, keyword } = needleOf(goldText(reference))
      const [whole, answer] = [dense(answerText(prediction)), dense(needle)]
      const pred = use_trim ? trimmed(whole, answer) : whole
      const distance = levenshtein(pred, answer)
      const longest = Math.max([...pred].length, [...answer].length)
      const near = longest === 0 ? 100 : 100 * (1 - distance / longest)
      const score = answerText(prediction).includes(keyword) ? 100 : 0.2 * near
      return { score: score / 100, detail: { pred, answer, edit_distance: distance, score } }
    },
  }),
})

export const needleBenchOrigin2 = defineEvaluator({
  names: ['NeedleBenchOriginEvaluator_v2', 'needlebench_v2.origin.NeedleBenchOriginEvaluator'],
  ofNothing: { score: 0 },
  does: 'Right when the keyword of a gold answer "needle*keyword" occurs in the answer. The class of the same name in `needlebench_v2`.',
  example: { answers: ['It is red', 'it is blue'], gold: ['It is red*red', 'it is green*green'], figures: { score: 50 } },
  ...meanOf('score'),
  kind: 'verdict',
  judge({ prediction, reference }) {
    const { needle, keyword } = needleOf(goldText(reference))
    const isFound = answerText(prediction).includes(keyword)
    return { score: Number(isFound), detail: { pred: dense(answerText(prediction)), answer: dense(needle), score: isFound ? 100 : 0 } }
  },
})

export const needleBenchMulti = defineEvaluator({
  names: ['NeedleBenchMultiEvaluator'],
  ofNothing: { score: 0 },
  does: 'The share of the words of the keyword of a gold answer "answer*keyword" that occur in the answer, whatever their case.',
  example: { answers: ['Ann, not Bob', 'no'], gold: ['Ann Lee*Ann Lee', 'x*x'], figures: { score: 25 } },
  ...meanOf('score'),
  judge({ prediction, reference }) {
    const parts = goldText(reference).split('*')
    if (parts.length !== 2) throw noKeyword()
    const pred = answerText(prediction).toLowerCase()
    const words = splitSpace(parts[1]!.toLowerCase())
    const matched = count(words, (word) => pred.includes(word))
    const score = matched * (words.length === 0 ? 0 : 100 / words.length)
    return { score: score / 100, detail: { pred, answer: reference, matched_keywords: matched, score } }
  },
})

type Found = { depths: readonly number[]; hits: readonly boolean[] }

export const needleBenchParallel = defineEvaluator({
  names: ['NeedleBenchParallelEvaluator'],
  does: 'The share of the needles found, of gold answers "word*word#10*50"; also for each depth in the text, as the first row has them.',
  example: { answers: ['red', 'red and blue'], gold: ['red*blue#0*50', 'red*blue#0*50'], figures: { average_score: 75 } },
  ...meanOf('average_score'),
  interval: 'none',
  judge({ prediction, reference }) {
    const [words = '', places = ''] = goldText(reference).split('#')
    const hits = words.split('*').map((word) => answerText(prediction).includes(word))
    const depths = places.split('*').map((depth) => Number(intOf(depth) ?? Number.NaN))
    return { score: count(hits, Boolean) / hits.length, detail: { pred: prediction, answer: reference }, keep: { depths, hits } }
  },
  summarise(rows: readonly Found[]): Figures {
    const depths = rows[0]!.depths
    if (depths.some(Number.isNaN)) throw wrongGold('it names no depths', 'write "word*word#10*50", as the loader of NeedleBench does')
    const byDepth = new Map(depths.map((depth) => [depth, 0]))
    for (const { hits } of rows) {
      for (const [index, isFound] of hits.slice(0, depths.length).entries()) {
        if (isFound) byDepth.set(depths[index]!, byDepth.get(depths[index]!)! + 100 / rows.length)
      }
    }
    return {
      average_score: sumOf([...byDepth.values()]) / byDepth.size,
      ...Object.fromEntries([...byDepth].map(([depth, score]) => [`Depth${depth}`, score])),
    }
  },
})
