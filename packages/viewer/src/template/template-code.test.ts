import { expect, test } from 'vitest'
import { compilePrompt } from '../../../core/src/prompt/compile/compile-prompt.ts'
import { cutSource, piecesBy, templateCode } from './template-code.ts'
import { withTracing } from './trace.ts'

const source = "{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}\n{% endfor %}{{ '<bot>' }}"
const dataset = { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: 'Q: {q}' }] } } } }

test('every piece of a prompt maps to the code that wrote it, and code to its pieces', () => {
  const model = { chat_template: source }
  const { prompt } = compilePrompt(withTracing(model), dataset).render({ row: { q: ' why ' }, mode: 'gen' })
  const { spans } = templateCode(model, prompt)!
  const pieces = prompt.kind === 'completion' ? prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')) : []
  expect(pieces.map((text, index) => [text, spans[index] && source.slice(...spans[index])])).toEqual([
    ['<', '<'],
    ['user', '{{ m.role }}'],
    ['>', '>'],
    ['Q: ', '{{ m.content | trim }}'],
    [' why', '{{ m.content | trim }}'],
    ['\n', '\n'],
    ['<bot>', "'<bot>'"],
  ])
  expect([...piecesBy(spans, source.indexOf('trim'))]).toEqual([3, 4])
  expect([...piecesBy(spans, 3)]).toEqual([])
  expect(
    cutSource(source, spans)
      .map(([start, end]) => source.slice(start, end))
      .join(''),
  ).toBe(source)
})

test('a model without a chat template has no template code', () => {
  const { prompt } = compilePrompt({ format: 'chatml' }, dataset).render({ row: { q: '' }, mode: 'gen' })
  expect(templateCode({ format: 'chatml' }, prompt)).toBeUndefined()
})
