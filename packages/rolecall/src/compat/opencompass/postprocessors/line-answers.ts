import { strip } from '@rolecall/core/internal/python'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'

const firstLine = (text: string) => strip(text).split('\n')[0]!

export const flores = definePostprocessor({
  names: ['flores', 'flores_postprocess'],
  does: 'The first line.',
  example: { answer: 'Guten Tag\nund mehr', becomes: 'Guten Tag' },
  process: firstLine,
})

export const xsum = definePostprocessor({
  names: ['Xsum', 'Xsum_postprocess'],
  does: 'The first line without white space around it.',
  example: { answer: ' A summary. \nmore', becomes: 'A summary.' },
  process: (text) => strip(firstLine(text)),
})

export const lcsts = definePostprocessor({
  names: ['lcsts', 'lcsts_postprocess'],
  does: 'The first line without a number, dash and Chinese punctuation around it.',
  example: { answer: '1. 一条新闻。', becomes: '一条新闻' },
  process(text) {
    let line = strip(firstLine(text).replaceAll('своей', ''))
    if (line.startsWith('1. ')) line = line.replaceAll('1. ', '')
    if (line.startsWith('- ')) line = line.replaceAll('- ', '')
    return strip(line, '“，。！”')
  },
})

export const cmrc = definePostprocessor({
  names: ['cmrc', 'cmrc_postprocess'],
  does: 'What follows the first 答案是.',
  example: { answer: '答案是北京', becomes: '北京' },
  finds: true,
  process: (text) => text.split('答案是')[1] ?? notFound(text),
})

export const record = definePostprocessor({
  names: ['ReCoRD', 'ReCoRD_postprocess'],
  does: 'The first line without "Answer: ".',
  example: { answer: 'Answer: Paris\nmore', becomes: 'Paris' },
  process: (text) => strip(firstLine(text).replaceAll('Answer: ', '')),
})
