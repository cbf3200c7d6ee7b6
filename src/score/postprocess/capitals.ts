import { z } from 'zod'
import { compareCodePoints, isUpper } from '../../python/index.ts'
import { definePostprocessor } from './postprocessor.ts'

const none = z.strictObject({})

export const firstCapital = definePostprocessor({
  names: ['first-capital', 'first_capital_postprocess'],
  does: 'The first upper-case letter.',
  options: none,
  process: (text) => [...text].find(isUpper) ?? '',
})

export const lastCapital = definePostprocessor({
  names: ['last-capital', 'last_capital_postprocess'],
  does: 'The last upper-case letter.',
  options: none,
  process: (text) => [...text].findLast(isUpper) ?? '',
})

export const firstCapitals = definePostprocessor({
  names: ['first-capital-multi', 'first_capital_postprocess_multi'],
  does: 'The first run of the letters A to D.',
  options: none,
  process: (text) => /[A-D]+/.exec(text)?.[0] ?? '',
})

export const multipleSelect = definePostprocessor({
  names: ['multiple-select', 'multiple_select_postprocess'],
  does: 'All upper-case letters, each once, in order.',
  options: none,
  process: (text) => [...new Set([...text].filter(isUpper))].sort(compareCodePoints).join(''),
})
