import { expect, test } from 'vitest'
import { cursorPlace } from './cursor-place.ts'

/** The cursor position, given by the bar in a text. */
function placeAt(text: string) {
  const at = text.indexOf('|')
  const { kind, path } = cursorPlace(text.replace('|', ''), at)!
  return `${kind} of ${path.join('.')}`
}

test('a single word on a line of YAML is a key', () => {
  expect(placeAt('format: chatml\nma|')).toBe('key of ')
  expect(placeAt('infer_cfg:\n  prompt_template:\n    tem|')).toBe('key of infer_cfg.prompt_template')
  expect(placeAt('round:\n  - role: HUMAN\n    pro|')).toBe('key of round.0')
})

test('text after a colon is a value', () => {
  expect(placeAt('marker_policy: re|')).toBe('value of marker_policy')
  expect(placeAt('infer_cfg: { inferencer: { type: Gen| } }')).toBe('value of infer_cfg.inferencer.type')
})

test('in JSON and in braces, commas and braces decide', () => {
  expect(placeAt('{ "format": "chatml", "ma|" }')).toBe('key of ')
  expect(placeAt('round: [{ role: HUMAN, pro| }]')).toBe('key of round.0')
  expect(placeAt('{ "a": ["x", "y|"] }')).toBe('value of a.1')
})
