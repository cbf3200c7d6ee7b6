import { pyStr } from '@rolecall/core/internal/python'
import { type NotFound, notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { search } from '../../../python/regex/index.ts'
import { extractBoxed, normalizeFinalAnswer } from '../evaluators/math/math-answer.ts'

function sentenceWith(text: string, says: (sentence: string) => boolean): string | NotFound {
  const sentences = text.split('.')
  const found = sentences.find(says)
  return found === undefined ? notFound(normalizeFinalAnswer(sentences[0]!)) : normalizeFinalAnswer(found)
}

export const math = definePostprocessor({
  names: ['math_postprocess'],
  does: 'The final answer of a MATH solution, normalised: the sentence that says "final answer", else the first.',
  example: { answer: 'Hence the final answer is $\\frac12$.', becomes: '\\frac{1}{2}' },
  finds: true,
  process: (text) => sentenceWith(text, (sentence) => sentence.toLowerCase().includes('final answer')),
})

export const mathV2 = definePostprocessor({
  names: ['math_postprocess_v2'],
  does: 'What stands in the last \\boxed{…}; without one, the sentence that says "final answer" or "answer is", normalised.',
  example: { answer: 'so it is \\boxed{\\frac{1}{2}}', becomes: '\\frac{1}{2}' },
  finds: true,
  process: boxedOrSaid,
})

function boxedOrSaid(text: string): string | NotFound {
  return extractBoxed(text, true) || sentenceWith(text, (sentence) => /final answer|answer is/.test(sentence.toLowerCase()))
}

/** What `math_postprocess_v2` makes of an answer, found or not. */
export function mathAnswerV2(text: string): string {
  const found = boxedOrSaid(text)
  return typeof found === 'string' ? found : pyStr(found.instead)
}

export const mathJudgeAnswer = definePostprocessor({
  names: ['math_judement_preprocess'],
  does: 'What follows "Answer:" on its line.',
  example: { answer: 'Answer: 7', becomes: '7' },
  finds: true,
  process: (text) => search(String.raw`(?i)ANSWER\s*:\s*([^\n]+)`, text)?.[1] ?? notFound(),
})
