import { compareCodePoints, isUpper } from '@rolecall/core/internal/python'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'

export const firstCapital = definePostprocessor({
  names: ['first-capital', 'first_capital_postprocess'],
  does: 'The first upper-case letter.',
  example: { answer: 'is it B or C?', becomes: 'B' },
  finds: true,
  process: (text) => [...text].find(isUpper) ?? notFound(),
})

export const lastCapital = definePostprocessor({
  names: ['last-capital', 'last_capital_postprocess'],
  does: 'The last upper-case letter.',
  example: { answer: 'B? No, C.', becomes: 'C' },
  finds: true,
  process: (text) => [...text].findLast(isUpper) ?? notFound(),
})

export const firstCapitals = definePostprocessor({
  names: ['first-capital-multi', 'first_capital_postprocess_multi'],
  does: 'The first run of the letters A to D.',
  example: { answer: 'the answers: AC, not D', becomes: 'AC' },
  finds: true,
  process: (text) => /[A-D]+/.exec(text)?.[0] ?? notFound(),
})

export const multipleSelect = definePostprocessor({
  names: ['multiple-select', 'multiple_select_postprocess'],
  does: 'All upper-case letters, each once, in order.',
  example: { answer: 'A and C, and A again', becomes: 'AC' },
  finds: true,
  process: (text) => [...new Set([...text].filter(isUpper))].sort(compareCodePoints).join('') || notFound(),
})
