import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { dictEntries, dictGet, isDict, isList, PyFloat, type PyValue, parseJson } from '../../../packages/core/src/base/python/index.ts'
import { parseExactReply, type Reply, ReplyParser, replySyntaxes, type SyntaxName } from '../../../packages/core/src/reply/index.ts'

const nonEmpty = z.string().min(1)
const callSchema = z.looseObject({ kind: z.enum(['call', 'code', 'malformed']) })

const fileSchema = z.strictObject({
  origin: nonEmpty,
  syntax: z.enum(Object.keys(replySyntaxes) as [SyntaxName]),
  cases: z
    .array(
      z.strictObject({
        name: nonEmpty.describe('A sentence: what holds.'),
        origin: nonEmpty.describe('Where such replies come from, or the rule.'),
        prompt: z.string().optional().describe('What the model was asked, where it matters.'),
        reply: z.string(),
        expected: z.strictObject({
          text: z.string(),
          reasoning: z.string().optional(),
          rest: z.string().optional(),
          calls: z.array(callSchema).describe('What is left out of a call is not compared.'),
        }),
      }),
    )
    .min(20),
})

const folder = new URL('.', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

test('every file has the cases of a syntax', () => {
  const names = Object.keys(replySyntaxes).map((name) => `${name}.json`)
  expect(files.filter((file) => !names.includes(file))).toEqual([])
})

for (const file of files) {
  const source = readFileSync(new URL(file, folder), 'utf8')
  const { syntax, cases } = fileSchema.parse(JSON.parse(source))
  // Read once more, exactly: integers beyond 2^53 are compared, too.
  const exact = dictGet(asDict(parseJson(source)), 'cases') as readonly PyValue[]
  describe(file, () => {
    for (const [index, { name, reply, prompt, expected }] of cases.entries()) {
      test(name, () => {
        const options = prompt === undefined ? {} : { prompt }
        const calls = dictGet(asDict(dictGet(asDict(exact[index]!), 'expected')!), 'calls') as readonly PyValue[]
        const wanted = { ...expected, calls: calls.map(plain) }
        expect(shown(parseExactReply(reply, syntax, options), expected, calls)).toEqual(wanted)
        for (const size of [1, 3]) {
          const parser = new ReplyParser(syntax, options)
          for (let at = 0; at < reply.length; at += size) parser.push(reply.slice(at, at + size))
          parser.end()
          expect(shown(parser.reply, expected, calls)).toEqual(wanted)
        }
      })
    }
  })
}

/** The reply in the words of the case. */
function shown(reply: Reply, expected: object, calls: readonly PyValue[]): unknown {
  const { text, reasoning, rest } = reply
  const said = { text, reasoning, rest }
  const compared = Object.fromEntries(Object.entries(said).filter(([key, value]) => key in expected || (key !== 'text' && value !== '')))
  return {
    ...compared,
    calls: reply.calls.map((call, index) => {
      const wanted = calls[index] === undefined ? call : asDict(calls[index])
      const keys = Object.keys(call).filter((key) => key === 'unterminated' || key === 'kind' || key in wanted)
      return Object.fromEntries(keys.map((key) => [key, plain((call as unknown as Record<string, PyValue>)[key]!)]))
    }),
  }
}

function asDict(value: PyValue): { readonly [key: string]: PyValue } {
  if (!isDict(value) || value instanceof Map) throw new Error('expected an object')
  return value as { readonly [key: string]: PyValue }
}

function plain(value: PyValue): unknown {
  if (value instanceof PyFloat) return value.value
  if (isList(value)) return value.map(plain)
  return isDict(value) ? Object.fromEntries(dictEntries(value).map(([key, entry]) => [key, plain(entry)])) : value
}
