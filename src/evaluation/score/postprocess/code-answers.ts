import { z } from 'zod'
import { stripStart } from '../../../base/python/index.ts'
import { findAll } from '../../../base/python/regex/index.ts'
import { withoutThoughts } from './answer-text.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

const none = z.strictObject({})
const codeBlocks = (text: string) => findAll('```\\w*\\n(.*?)```', text, { dotAll: true })

export const humanevalV2 = definePostprocessor({
  names: ['humaneval_postprocess_v2'],
  does: 'The first block of code, else the whole answer.',
  example: { answer: '```python\nreturn 1\n```', becomes: 'return 1\n' },
  options: none,
  process: (text) => stripStart(codeBlocks(text)[0] ?? text),
})

export const humanevalV3 = definePostprocessor({
  names: ['humaneval_postprocess_v3'],
  does: 'The last block of code, else the whole answer.',
  example: { answer: '```\na\n```\n```\nb\n```', becomes: 'b\n' },
  options: none,
  process: (text) => stripStart(codeBlocks(text).at(-1) ?? text),
})

export const humanevalInternalV2 = definePostprocessor({
  names: ['humaneval_internal_v2_postprocess'],
  does: 'The indented lines that complete a function.',
  example: { answer: '    return 1\n\nprint(2)', becomes: '    return 1\n' },
  options: none,
  process(text) {
    const indented = text.startsWith('   ') && !text.startsWith('    ') ? ` ${text}` : text
    const lines = indented.split('\n\n\n')[0]!.split('\n```')[0]!.split('\n')
    const end = lines.findIndex((line) => line !== '' && !line.startsWith(' '))
    return lines.slice(0, end < 0 ? lines.length : end).join('\n')
  },
})

/** Not in OpenCompass: nothing is cut off, only looked for. */
export const codeAnswer = definePostprocessor({
  names: ['code_answer'],
  does: 'The whole answer where it has code (a block, a function, an indented or returning line); else there is none.',
  example: { answer: 'Here it is:\n```python\nreturn 1\n```', becomes: 'Here it is:\n```python\nreturn 1\n```' },
  options: none,
  finds: true,
  process: (text) => (hasCode.test(withoutThoughts(text)) ? text : notFound()),
})

const hasCode =
  /```[^`]*\S|^[ \t]+\S|^(?:async\s+)?def\s+\w|^(?:return|from|import|for|while|if|with|try|class|raise|yield|assert|pass|lambda)\b|^\w+(?:\[[^\]\n]*\])?\s*[-+*/]?=[^=]/m
