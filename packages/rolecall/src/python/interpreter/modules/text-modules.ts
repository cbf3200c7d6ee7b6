import { PromptError } from '@rolecall/core/internal/errors'
import { PythonError } from '@rolecall/core/internal/python'
import { evaluateLiteral } from '../../syntax/literal.ts'
import { defineModule, native, textOf } from './define-module.ts'
import { unescapeHtml } from './unescape-html.ts'

export const ast = defineModule('ast', {
  literal_eval: native('literal_eval(node_or_string)', (session, [text]) => {
    const literal = textOf(text)
    session.step(literal.length)
    try {
      return evaluateLiteral(literal)
    } catch (error) {
      throw error instanceof PromptError ? new PythonError('SyntaxError', error.problem) : error
    }
  }),
})

export const unicodedata = defineModule('unicodedata', {
  normalize: native('normalize(form, unistr, /)', (session, [form, text]) => session.made(textOf(text).normalize(textOf(form)))),
  category: native('category(chr, /)', (_, [text]) => categoryOf(textOf(text))),
})

const categories = [
  'Lu',
  'Ll',
  'Lt',
  'Lm',
  'Lo',
  'Mn',
  'Mc',
  'Me',
  'Nd',
  'Nl',
  'No',
  'Pc',
  'Pd',
  'Ps',
  'Pe',
  'Pi',
  'Pf',
  'Po',
  'Sm',
  'Sc',
  'Sk',
  'So',
  'Zs',
  'Zl',
  'Zp',
  'Cc',
  'Cf',
  'Cs',
  'Co',
]

let categoryPatterns: [name: string, pattern: RegExp][] | undefined

function categoryOf(text: string): string {
  categoryPatterns ??= categories.map((name) => [name, new RegExp(`^\\p{${name}}`, 'u')])
  return categoryPatterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'Cn'
}

export const html = defineModule('html', {
  unescape: native('unescape(s)', (session, [text]) => {
    const given = textOf(text)
    session.step(given.length >> 1)
    return session.made(unescapeHtml(given))
  }),
})
