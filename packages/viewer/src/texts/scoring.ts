import type { ComponentChildren } from 'preact'
import { translated } from './translated.ts'

type Part = ComponentChildren

type ScoringTexts = {
  failed: string
  notScored: string
  foundNothing: (steps: Part, outcome: string) => Part
  took: (steps: Part, read: Part) => Part
  expected: (gold: Part) => Part
  compared: (by: Part, result: Part) => Part
  right: string
  wrong: string
}

/** How a reply was scored, as a sentence. */
export const scoringTexts = translated<ScoringTexts>(
  {
    failed: 'There is no reply, or it could not be scored: nothing was compared.',
    notScored: 'The reply was read, but not scored.',
    foundNothing: (steps, outcome) => [steps ?? 'The scorer', ' found no answer in the reply (', outcome, '): nothing was compared.'],
    took: (steps, read) => [
      steps ?? 'The reply was read as',
      steps === undefined ? ' ' : ' took ',
      read,
      steps === undefined ? '; ' : ' from the reply; ',
    ],
    expected: (gold) => ['expected ', gold, '; '],
    compared: (by, result) => [by ?? 'scored', ': ', result, '.'],
    right: 'right',
    wrong: 'wrong',
  },
  {
    failed: '没有回复，或回复无法评分：未做比较。',
    notScored: '已读取回复，但未评分。',
    foundNothing: (steps, outcome) => [steps ?? '评分器', ' 在回复中没有找到答案（', outcome, '）：未做比较。'],
    took: (steps, read) => [steps === undefined ? '回复读作 ' : [steps, ' 从回复中取出 '], read, '；'],
    expected: (gold) => ['参考答案是 ', gold, '；'],
    compared: (by, result) => [by ?? '评分', '：', result, '。'],
    right: '正确',
    wrong: '错误',
  },
)
