import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { processorTimer } from '../../../../proof/testing/processor-timer.ts'
import { propertyRuns } from '../../../../proof/testing/sampling.ts'
import { schemasWithValues } from '../../../../proof/testing/schemas.ts'
import { readEmbeddedTokenizer } from '../../../rolecall/src/model/embedded/open-embedded.ts'
import { seededRandom } from '../../../rolecall/src/model/language-model/sampling.ts'
import { decodeTokens } from '../prompt/tokenizer/token-decoder.ts'
import { compileConstraint } from './compile-constraint.ts'
import { TokenGuide } from './tokens/token-guide.ts'
import { tokenTrie } from './tokens/token-trie.ts'

vi.setConfig({ testTimeout: 60_000 })

const tokenizer = readEmbeddedTokenizer(
  JSON.parse(readFileSync(new URL('../../../rolecall/embedded-model/tokenizer.json', import.meta.url), 'utf8')) as unknown,
)
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Generates a reply from random allowed tokens; after a while it prefers tokens that close something. */
function writeAtRandom(schema: unknown, seed: number, most = 600): { text: string; isComplete: boolean } {
  const reply = new TokenGuide(compileConstraint({ kind: 'json-schema', schema }), tokenTrie(tokenizer)).begin()
  const random = seededRandom(seed)
  const ids: number[] = []
  while (!reply.isOver && ids.length < most) {
    const { allowed, count } = reply.mask
    expect(reply.isComplete || count > 0, `stuck after ${decodeTokens(ids, tokenizer)}`).toBe(true)
    if (reply.isComplete && (count === 0 || random() < 0.3)) break
    const open = [...allowed.keys()].filter((id) => allowed[id] === 1)
    const closing = ids.length < 30 ? [] : open.filter((id) => /^["}\]]$/.test(tokenizer.tokenOf(id) ?? ''))
    const choice = closing.length > 0 && random() < 0.7 ? closing : open
    const id = choice[Math.floor(random() * choice.length)]!
    expect(reply.push(tokenizer.bytesOf(id))).toBe(true)
    ids.push(id)
  }
  return { text: decodeTokens(ids, tokenizer), isComplete: reply.isComplete }
}

test('every complete reply validates, whatever tokens are drawn', () => {
  let whole = 0
  let all = 0
  fc.assert(
    fc.property(schemasWithValues(), fc.nat(), ({ schema }, seed) => {
      const { text, isComplete } = writeAtRandom(schema, seed)
      all++
      if (!isComplete) return
      whole++
      const value: unknown = JSON.parse(text)
      expect(ajv.validate(schema, value), `${text} for ${JSON.stringify(schema)}: ${ajv.errorsText()}`).toBe(true)
    }),
    { numRuns: propertyRuns(250) },
  )
  expect(whole / all).toBeGreaterThan(0.8)
})

test('every value that a schema allows can be written', () => {
  fc.assert(
    fc.property(schemasWithValues(), fc.constantFrom(undefined, 2), ({ schema, value }, indent) => {
      expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true)
      const text = JSON.stringify(value, null, indent)
      expect(compileConstraint({ kind: 'json-schema', schema }).accepts(text), `${text} for ${JSON.stringify(schema)}`).toBe(true)
    }),
    { numRuns: propertyRuns(400) },
  )
})

test('an ambiguous pattern takes no more time than others', () => {
  const elapsed = processorTimer()
  const reply = new TokenGuide(compileConstraint({ kind: 'pattern', pattern: '(.{0,50}){0,50}' }), tokenTrie(tokenizer)).begin()
  for (let step = 0; step < 5; step++) {
    expect(reply.mask.count).toBeGreaterThan(256)
    expect(reply.push(new TextEncoder().encode('é x'))).toBe(true)
  }
  expect(reply.isComplete).toBe(true)
  expect(elapsed()).toBeLessThan(5000)
})

test('a pattern of thousands of optional parts is followed in linear time', () => {
  const started = process.cpuUsage().user
  const reply = new TokenGuide(compileConstraint({ kind: 'pattern', pattern: '([a-z]?){3000}0' }), tokenTrie(tokenizer)).begin()
  for (const text of ['a', 'bc', 'xyz']) {
    expect(reply.mask.count).toBeGreaterThan(26)
    expect(reply.push(new TextEncoder().encode(text))).toBe(true)
  }
  expect(reply.push(new TextEncoder().encode('0'))).toBe(true)
  expect(reply.isOver).toBe(true)
  expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(4)
})
