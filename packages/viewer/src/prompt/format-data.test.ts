import { expect, test } from 'vitest'
import { formatData } from './format-data.ts'

test('a model without a format says what is sent instead', () => {
  const said = (model: object) => formatData(model as never).meta_template
  expect(said({ type: 'openai' })).toBe('none: the messages are sent, and the server writes them in its own template')
  expect(said({ type: 'openai', endpoint: 'completions' })).toBe('none: turns are joined by newlines')
  expect(said({ type: 'embedded' })).toBe('none: turns are joined by newlines')
  expect(said({ is_api: true })).toBe('none: turns are sent as messages')
})
