import { compareCodePoints, isUpper, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern, search } from '../../../python/regex/index.ts'

/** Shared by both benchmarks: the subset's name states the language. */
const numberOfSubset = (name: string, benchmark: string) =>
  definePostprocessor({
    names: [name],
    does: `A number of ${benchmark}: the first after "The answer is" (答案是 where the name has _cn), else the last; all of the answer where it has none.`,
    example: { options: { name: 'college_en' }, answer: 'Thus 3 + 4. The answer is 1,007 km.', becomes: '1007' },
    options: z.strictObject({ name: z.string().describe('The name of the subset; one with _cn in it is Chinese.') }),
    finds: true,
    process(text, { name: subset }) {
      const announced = text.split(subset.includes('_cn') ? '答案是' : 'The answer is')[1]
      const answer = announced === undefined ? text : strip(announced)
      const joined = guardedPattern(String.raw`(\d),(\d)`).replace(answer, ({ groups }) => `${groups[0]}${groups[1]}`)
      const numbers = guardedPattern(String.raw`-?\d*\.?/?\d+|\d+`).all(joined)
      return numbers.at(announced === undefined ? -1 : 0)?.text ?? notFound(answer)
    },
  })

export const mathbench = numberOfSubset('mathbench_postprocess', 'MathBench')
export const compassbench = numberOfSubset('compassbench_objective_v1_3_postprocess', 'CompassBench')

/** The phrases of the final sentence, in English and in Chinese. */
const finalSentences = ['So the final answer is (.*)', '所以最终答案是(.*)'] as const
const deepseekSentences = ['The answer is: (.*)', '## 解题答案(.*)'] as const

export const olympiadbench = definePostprocessor({
  names: ['olympiadbench_postprocess_v2'],
  does: 'The rest of the last line that says "So the final answer is"; all of the answer where none does.',
  example: { answer: 'We add.\nSo the final answer is \\boxed{5}.', becomes: '\\boxed{5}.' },
  options: z.strictObject({
    is_chinese: z.boolean().default(false).describe('The sentence is Chinese: 所以最终答案是.'),
    is_deepseek: z.boolean().default(false).describe('The sentence is that of DeepSeekMath: "The answer is:", ## 解题答案.'),
  }),
  finds: true,
  process(text, { is_chinese: isChinese, is_deepseek: isDeepseek }) {
    const sentence = (isDeepseek ? deepseekSentences : finalSentences)[isChinese ? 1 : 0]
    const found = guardedPattern(sentence).all(text).at(-1)
    return found ? strip(found.groups[0] ?? '') : notFound(text)
  },
})

export const game24 = definePostprocessor({
  names: ['game24_postprocess'],
  does: 'The calculation in the last line, up to its "=".',
  example: { answer: 'Steps…\nAnswer: (6 - 4) * 12 = 24', becomes: '(6 - 4) * 12 ' },
  process: (text) => strip(text).split('\n').at(-1)!.toLowerCase().replaceAll('answer: ', '').split('=')[0]!,
})

export const charmReason = definePostprocessor({
  names: ['charm-reason', 'charm_reason_postprocess'],
  does: 'The letter in parentheses after "answer is", else the first capital.',
  example: { answer: 'So the answer is (B).', becomes: 'B' },
  finds: true,
  process(text) {
    const announced = text.split('answer is ')[1]
    const answer = announced === undefined ? text : strip(announced)
    return (/\(([A-Z])/.exec(answer) ?? /([A-Z])/.exec(answer))?.[1] ?? notFound(answer)
  },
})

export const crowspairs = definePostprocessor({
  names: ['crowspairs_postprocess'],
  does: 'A or B, where the answer begins with it, else where it stands apart or before anything; "invalid" where it says Neither or Both.',
  example: { answer: 'I would say A.', becomes: 'A' },
  finds: true,
  process(text) {
    if (/Neither|Both/.test(text)) return notFound('invalid')
    if (/^[AB]/.test(text)) return text[0]!
    if (search('A.', text)) return 'A'
    return search('B.', text) ? 'B' : notFound('invalid')
  },
})

export const seedBenchSelection = definePostprocessor({
  names: ['my_multiple_select_postprocess'],
  does: 'All capitals that occur, each once, in order, with commas between them.',
  example: { answer: 'CAB', becomes: 'A, B, C' },
  finds: true,
  process(text) {
    const capitals = [...new Set(text)].filter(isUpper).sort(compareCodePoints)
    return capitals.length > 0 ? capitals.join(', ') : notFound()
  },
})

export const gpqaSimpleEval = definePostprocessor({
  names: ['GPQA_Simple_Eval_postprocess'],
  does: 'The letter after "Answer:"; nothing where there is none.',
  example: { answer: 'Because …\nANSWER: C', becomes: 'C' },
  finds: true,
  process: (text) => search(String.raw`(?i)ANSWER\s*:\s*([A-D])`, text)?.[1] ?? notFound(null),
})
