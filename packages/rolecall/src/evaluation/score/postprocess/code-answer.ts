import { withoutThoughts } from './answer-text.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

/** Not in OpenCompass: finds code without cutting anything off. */
export const codeAnswer = definePostprocessor({
  names: ['code_answer'],
  does: 'The whole answer where it has code (a block, a function, an indented or returning line); else there is none.',
  example: { answer: 'Here it is:\n```python\nreturn 1\n```', becomes: 'Here it is:\n```python\nreturn 1\n```' },
  finds: true,
  process: (text) => (hasCode.test(withoutThoughts(text)) ? text : notFound()),
})

const hasCode =
  /```[^`]*\S|~~~[^~]*\S|^[ \t]+\S|^(?:async\s+)?def\s+\w|^(?:return|from|import|for|while|if|with|try|class|raise|yield|assert|pass|lambda)\b|^\w+(?:\[[^\]\n]*\])?\s*[-+*/]?=[^=]/m
