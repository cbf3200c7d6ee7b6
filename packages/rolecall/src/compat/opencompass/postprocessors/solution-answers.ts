import { strip, stripEnd } from '@rolecall/core/internal/python'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern } from '../../../python/regex/index.ts'
import { latexValue } from './latex-value.ts'

const after = (text: string, mark: string) => (text.includes(mark) ? text.slice(text.indexOf(mark) + mark.length) : undefined)

/** Strips the surrounding braces and the full stop. */
function clean(text: string): string {
  const answer = strip(text).replaceAll('{{', '{').replaceAll('}}', '}')
  return answer.endsWith('.') || answer.endsWith('。') ? answer.slice(0, -1) : answer
}

/** Up to the matching closing brace; without one, the reference drops the last character. */
function insideBraces(text: string): string {
  let open = 1
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open++
    if (text[at] === '}' && --open === 0) return text.slice(0, at)
  }
  return [...text].slice(0, -1).join('')
}

/** Cuts off the next question; if nothing is announced before it, the reference takes the rest from a fixed offset. */
function beforeNextQuestion(text: string): { answer: string } | { rest: string } {
  const rest = text.split('\n\nQuestion:')[0]!
  if (rest === text || rest.startsWith('The answer is')) return { rest }
  return { answer: after(rest, 'The answer is') ?? [...rest].slice('The answer is'.length - 1).join('') }
}

export const mathIntern = definePostprocessor({
  names: ['math_intern_postprocess'],
  does: 'What follows "The final answer is", "# Answer", "The answer is:" or "####", else what stands in the first \\boxed{…}; nothing where there is none.',
  example: { answer: 'So it is \\boxed{\\frac{1}{2}}.', becomes: '\\frac{1}{2}' },
  finds: true,
  process(text) {
    const final = after(text, 'The final answer is ')
    if (final !== undefined) {
      const [, ...characters] = final.includes('$.') ? final.slice(0, final.indexOf('$.')) : [...final].slice(0, -1).join('')
      return clean(characters.join(''))
    }
    const question = beforeNextQuestion(text)
    if ('answer' in question) return clean(question.answer)
    for (const mark of ['# Answer', 'The answer is:', '####']) {
      const answer = after(question.rest, mark)
      if (answer !== undefined) return clean(answer)
    }
    const boxed = after(question.rest, '\\boxed{')
    return boxed === undefined ? notFound(null) : clean(insideBraces(boxed))
  },
})

const triggers = ['The answer is:', 'The answer is', 'the answer is']

/** TheoremQA's answers are numbers, lists of numbers, True, False and options. */
function theoremAnswer(text: string): string {
  let answer = strip(text, '\n')
  // A model that continues with further examples announces several answers: only the first paragraph is its answer.
  if (triggers.some((trigger) => answer.split(trigger).length > 2)) answer = answer.split('\n\n')[0]!
  const parts = answer.split(/The answer is:|The answer is|the answer is/)
  const said = strip(stripEnd(stripEnd(strip(parts.at(-1)!, '\n'), '.'), '/'), ' ')
  return stripEnd(stripEnd(readTheoremAnswer(said, parts.length > 1), '.'), '/')
}

function readTheoremAnswer(said: string, isAnnounced: boolean): string {
  const lower = said.toLowerCase()
  if (/yes|true/.test(lower)) return 'True'
  if (/no|false/.test(lower)) return 'False'
  if (/\([a-f]\)/.test(lower)) return said
  if (!isAnnounced) return guardedPattern(String.raw`-?\d*\.?\d+`).all(said).at(-1)?.text ?? ''
  const answer = withoutUnits(strip(said.split('=').at(-1)!))
  const value = latexValue(answer)
  if (value !== undefined) return value
  return guardedPattern(String.raw`^-?[\d\.]+\s(?:\D+|[^\s]+)$`).first(answer) ? answer.split(' ')[0]! : answer
}

function withoutUnits(text: string): string {
  const digitsForPi = text
    .replaceAll('\\pi', 'π')
    .replace(/(?<![\d}])\\?π/g, '3.14')
    .replace(/(\d)\\?π/g, '$1*3.14')
    .replace(/\{\\?π\}/g, '3.14')
    .replace(/\*\\?π/g, '*3.14')
  return ['$', '¥', '°C', ' C', '°'].reduce((rest, unit) => rest.replaceAll(unit, ''), digitsForPi.replaceAll('%', '/100'))
}

export const theoremqaV3 = definePostprocessor({
  names: ['TheoremQA_postprocess_v3'],
  does: 'What follows "The answer is", worked out where it is arithmetic, True or False for yes and no; where nothing is announced, the last number.',
  example: { answer: 'Hence the answer is $\\frac{1}{2}$.', becomes: '0.5' },
  process: theoremAnswer,
})

export const theoremqaV4 = definePostprocessor({
  names: ['TheoremQA_postprocess_v4'],
  does: 'The same without \\( and \\) around it.',
  example: { answer: 'Hence the answer is \\( x \\)', becomes: 'x' },
  process: (text) => strip(strip(strip(theoremAnswer(text), '\\('), '\\)')),
})
