import { strip } from '@rolecall/core/internal/python'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'

export const generalChinese = definePostprocessor({
  names: ['general_cn', 'general_cn_postprocess'],
  does: "The words of a Chinese text with spaces between them, by jieba's dictionary (`npm install jieba-wasm`).",
  example: { answer: '我来到北京清华大学', becomes: '我 来到 北京 清华大学' },
  needsWords: true,
  // The reference also cleans the text, but then splits the original.
  process: (text, _, { words }) => words(text).join(' '),
})

export const floresChinese = definePostprocessor({
  names: ['flores-chinese', 'flores_postprocess_chinese'],
  does: "The words of the first line with spaces between them, by jieba's dictionary (`npm install jieba-wasm`).",
  example: { answer: '今天天气很好\n……', becomes: '今天天气 很 好' },
  needsWords: true,
  process: (text, _, { words }) => words(strip(text).split('\n')[0]!).join(' '),
})
