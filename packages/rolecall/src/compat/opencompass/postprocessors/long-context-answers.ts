import { strip, stripStart } from '@rolecall/core/internal/python'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern, search } from '../../../python/regex/index.ts'
import { extractBoxed } from '../evaluators/math/math-answer.ts'

/** LongBench tasks with a one-line answer: the rest belongs to another example that the model made up. */
const firstLineOf = (name: string, benchmark: string) =>
  definePostprocessor({
    names: [`${name}_postprocess`],
    does: `The first line that is not empty, for ${benchmark}.`,
    example: { answer: '\nParis\nQuestion: next', becomes: 'Paris' },
    process: (text) => stripStart(text, '\n').split('\n')[0]!,
  })

export const samsum = firstLineOf('samsum', 'SAMSum in LongBench')
export const lsht = firstLineOf('lsht', 'LSHT in LongBench')
export const trec = firstLineOf('trec', 'TREC in LongBench')
export const triviaqa = firstLineOf('triviaqa', 'TriviaQA in LongBench')

export const infiniteBenchNumber = definePostprocessor({
  names: ['InfiniteBench_first_number_postprocess'],
  does: 'The first number, as text.',
  example: { answer: 'It is 3.50, not 4', becomes: '3.50' },
  finds: true,
  process: (text) => search(String.raw`\d+\.\d+|\d+`, text)?.[0] ?? notFound(null),
})

export const needlebenchAncestor = definePostprocessor({
  names: ['needlebench_atc_postprocess_v2'],
  does: 'The name in the last \\boxed{…} without LaTeX and quotes; "None" where there is none.',
  example: { answer: 'So it is \\boxed{\\text{Kevin Le}}.', becomes: 'Kevin Le' },
  finds: true,
  process(text) {
    const boxed = extractBoxed(text, true)
    if (!boxed || boxed === 'None') return notFound('None')
    let name = guardedPattern(String.raw`\\text\{([^}]+)\}`).replace(boxed, ({ groups }) => groups[0]!)
    name = guardedPattern(String.raw`\\boxed\{([^}]+)\}`).replace(name, ({ groups }) => groups[0]!)
    name = guardedPattern(String.raw`\\[\[\]]`).without(name).replaceAll('\\', '')
    name = strip(guardedPattern(String.raw`\s+`).replace(name, () => ' '))
    return name.replaceAll('"', '').replaceAll("'", '').replaceAll('~', ' ')
  },
})

export const drcd = definePostprocessor({
  names: ['drcd', 'drcd_postprocess'],
  does: 'What follows 答案是 ("the answer is") up to where that is said again; all of the answer where it is not said.',
  example: { answer: '我认为答案是臺北', becomes: '臺北' },
  process: (text) => text.split('答案是')[1] ?? text,
})
