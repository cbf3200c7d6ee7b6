import { strip } from '@rolecall/core/internal/python'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { findAll, substitute } from '../../../python/regex/index.ts'
import { bbhFreeformAnswer } from './bbh-answer.ts'

const firstLine = (text: string) => text.split('\n')[0]!

export const bbhMcq = definePostprocessor({
  names: ['bbh-mcq', 'bbh_mcq_postprocess'],
  does: 'The letter in parentheses after "answer is", else the first capital.',
  example: { answer: 'So the answer is (C).', becomes: 'C' },
  finds: true,
  process(text) {
    const parts = text.split('answer is ')
    const answer = parts.length === 1 ? text : strip(parts[1]!)
    return (/\(([A-Z])\)*/.exec(answer) ?? /([A-Z])/.exec(answer))?.[1] ?? notFound(answer)
  },
})

export const bbhFreeform = definePostprocessor({
  names: ['bbh-freeform', 'bbh_freeform_postprocess'],
  does: 'The answer of a BBH task without options: after "answer is", its first line, without bold and period.',
  example: { answer: 'So the answer is **no**.', becomes: 'No' },
  process: bbhFreeformAnswer,
})

function afterPrefix(text: string): string {
  const prefixes = ['The answer is: ', 'The answer is ', 'The final answer is: ', 'The final answer is ']
  const prefix = prefixes.find((one) => text.includes(one))
  return prefix === undefined ? text : text.split(prefix).at(-1)!
}

export function bbehFreeformAnswer(text: string): string {
  const inside = (_: string, content = '') => content
  let answer = substitute(String.raw`\\boxed{(.*?)}`, inside, afterPrefix(text))
  answer = substitute(String.raw`\\text(?:tt)?{(.*?)}`, inside, answer)
  answer = substitute(String.raw`\*\*(.*?)\*\*`, inside, answer)
  return strip(firstLine(answer)).toLowerCase()
}

export function bbehMcqAnswer(text: string): string {
  return strip(firstLine(strip(afterPrefix(text), '()'))).toLowerCase()
}

export const bbehFreeform = definePostprocessor({
  names: ['bbeh_freeform', 'bbeh_freeform_postprocess'],
  does: 'What follows "The answer is", without \\boxed, \\text and bold, its first line in lower case.',
  example: { answer: 'The answer is: **Yes**', becomes: 'yes' },
  process: bbehFreeformAnswer,
})

export const bbehMcq = definePostprocessor({
  names: ['bbeh_mcq', 'bbeh_mcq_postprocess'],
  does: 'What follows "The answer is", without parentheses, its first line in lower case.',
  example: { answer: 'The answer is: (B)', becomes: 'b' },
  process: bbehMcqAnswer,
})

export const strategyqa = definePostprocessor({
  names: ['strategyqa', 'strategyqa_pred_postprocess'],
  does: '"yes" or "no", whichever comes first after "answer is".',
  example: { answer: 'So the answer is yes.', becomes: 'yes' },
  finds: true,
  process: (text) => /yes|no/.exec(text.split('\n\n')[0]!.split('answer is ').at(-1)!.toLowerCase())?.[0] ?? notFound(),
})

export const strategyqaDataset = definePostprocessor({
  names: ['strategyqa_dataset', 'strategyqa_dataset_postprocess'],
  does: '"yes" for a gold answer True, else "no".',
  example: { answer: 'True', becomes: 'yes' },
  process: (text) => (text === 'True' ? 'yes' : 'no'),
})

export const theoremqa = definePostprocessor({
  names: ['TheoremQA', 'TheoremQA_postprocess'],
  does: 'The word after "answer is", without punctuation.',
  example: { answer: 'So the answer is 4.', becomes: '4' },
  finds: true,
  process(text) {
    const stripped = strip(text)
    const [found] = findAll(String.raw`answer is ([^\s]+)`, stripped)
    return found === undefined ? notFound(stripped) : strip(strip(found), '.,?!"\';:')
  },
})

export const theoremqaV2 = definePostprocessor({
  names: ['TheoremQA_postprocess_v2'],
  does: 'The end of the last line, after "is", "be", "are" or a colon.',
  example: { answer: 'Thus the area is 4', becomes: '4' },
  process(text) {
    const words = strip(strip(text), '\n').split('\n').at(-1)!.split(' ')
    const border = words.findLastIndex((word) => word === 'is' || word === 'be' || word === 'are' || word.endsWith(':'))
    return strip(strip(words.slice(border + 1).join(' ')), '.')
  },
})
