import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../proof/testing/processor-timer.ts'
import { parseInline, parseMarkdown } from './markdown.ts'
import { moveMark, withMark } from './marked-range.ts'
import { placesOf } from './places-of.ts'
import { shownAs } from './shown-as.ts'
import { type MathNode, parseTex } from './tex.ts'

describe('a text', () => {
  test('is shown as JSON, Markdown or plain text', () => {
    expect(shownAs('{"a": [1]}')).toBe('json')
    expect(shownAs('{a}')).toBe('plain')
    expect(shownAs('42')).toBe('plain')
    expect(shownAs('It costs $5 and then $6.')).toBe('plain')
    expect(shownAs('a * b * c')).toBe('plain')
    for (const text of ['# Title', '- a\n- b', 'is **bold**', '```\nx\n```', '$x^2$', '\\(x\\)', 'a | b\n--- | ---\n1 | 2'])
      expect(shownAs(text), text).toBe('markdown')
  })

  test('is marked where another occurs as a whole word', () => {
    expect(placesOf('The answer is 42, not 142 or 420.', '42')).toEqual([[14, 16]])
    expect(placesOf('答案是42。', '42')).toEqual([[3, 5]])
    expect(placesOf('A or B? A', 'A')).toEqual([
      [0, 1],
      [8, 9],
    ])
  })
})

describe('Markdown', () => {
  const kinds = (text: string) => parseMarkdown(text).map(({ kind }) => kind)

  test('is parsed block by block', () => {
    const text =
      '# A\n\nfirst\nline\n\n- one\n- two\n  more\n\n> quoted\n\n```py\nx = "# no heading"\n```\n\na | b\n-|-\n1 | 2\n\n$$\nx\n$$\n\n---'
    expect(kinds(text)).toEqual(['heading', 'paragraph', 'list', 'quote', 'code', 'table', 'math', 'rule'])
    expect(parseMarkdown(text)[4]).toEqual({ kind: 'code', language: 'py', text: 'x = "# no heading"' })
    expect(parseMarkdown(text)[2]).toMatchObject({ items: [[{ kind: 'paragraph' }], [{ kind: 'paragraph' }]] })
  })

  test('has nested lists, and keeps start numbers', () => {
    expect(parseMarkdown('3. a\n   - b\n   - c\n4. d')).toMatchObject([
      {
        kind: 'list',
        isOrdered: true,
        start: 3,
        items: [[{ kind: 'paragraph' }, { kind: 'list', isOrdered: false }], [{ kind: 'paragraph' }]],
      },
    ])
  })

  test('loses nothing of text that is not Markdown', () => {
    const texts = ['**open', 'a `b', '$5 and $6', '[x](javascript:alert(1))', '<script>1</script>', '```\nnever closed', '| |', '- ', '1)']
    const flat = (value: unknown): string =>
      typeof value === 'string' ? value : value && typeof value === 'object' ? Object.values(value).map(flat).join('') : ''
    for (const text of texts) expect(flat(parseMarkdown(text)).replace(/\W/g, ''), text).toContain(text.replace(/\W/g, ''))
    expect(parseInline('[x](javascript:alert(1))')).toEqual([{ kind: 'text', text: '[x](javascript:alert(1))' }])
  })

  test('is fast for deeply nested input', () => {
    const elapsed = processorTimer()
    parseMarkdown('> '.repeat(5000))
    parseMarkdown('- '.repeat(5000))
    parseMarkdown('*'.repeat(20_000))
    parseMarkdown('$'.repeat(20_000))
    for (const opened of ['\\( ', '**a ', '[a', '\\[ x\n', '$$ x\ny\n']) parseMarkdown(opened.repeat(8000))
    expect(elapsed()).toBeLessThan(4000)
  })
})

describe('a formula', () => {
  const written = (node: MathNode | string): string =>
    typeof node === 'string' ? node : `${node.tag}(${node.children.map(written).join(' ')})`

  test('becomes MathML', () => {
    expect(written(parseTex('\\frac{1}{2}')!)).toBe('math(mfrac(mn(1) mn(2)))')
    expect(written(parseTex('x^2_1')!)).toBe('math(msubsup(mi(x) mn(1) mn(2)))')
    expect(written(parseTex('\\sum_{i=1}^n i')!)).toBe('math(munderover(mo(∑) mrow(mi(i) mo(=) mn(1)) mi(n)) mi(i))')
    expect(written(parseTex('\\boxed{42} \\text{ km}')!)).toBe('math(mrow(mn(42)) mtext( km))')
    expect(written(parseTex('\\sqrt[3]{8} \\le \\alpha')!)).toBe('math(mroot(mn(8) mn(3)) mo(≤) mi(α))')
  })

  test('with unknown commands is rejected, and shown as source', () => {
    for (const tex of ['\\begin{matrix}1\\end{matrix}', '\\frac{1}', '{', 'a}', '\\unknown', '{'.repeat(1000)])
      expect(parseTex(tex), tex).toBeUndefined()
  })
})

test('a range is marked once, survives another layout, and is dropped where it cannot be drawn', () => {
  expect(withMark('7 and 7', [6, 7])).toBe('7 and \uE0007\uE001')
  expect(moveMark('{"a": 7, "b": 7}', [14, 15], '{\n  "a": 7,\n  "b": 7\n}')).toEqual([19, 20])
  expect(moveMark('7', [0, 1], 'none')).toBeUndefined()
  expect(withMark('\uE000', [0, 1])).toBe('\uE000')
})
