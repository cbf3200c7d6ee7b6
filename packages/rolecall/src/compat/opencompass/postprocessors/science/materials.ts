import { dictGet, floatOf, isDict, PyFloat, type PyValue, pyFloat, pyStr, strip } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import * as z from 'zod'
import { type NotFound, notFound } from '../../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../../evaluation/score/postprocess/postprocessor.ts'
import { escapePattern, guardedPattern } from '../../../../python/regex/index.ts'
import { jsonOf } from '../json-repair.ts'
import { afterFinishedThinking } from '../thoughts.ts'

export const material = definePostprocessor({
  names: ['material_postprocessor'],
  does: 'What stands in the first <material>…</material>.',
  example: { answer: 'Here: <material> Na Cl <sg> <sg225> </material>', becomes: 'Na Cl <sg> <sg225>' },
  finds: true,
  process(text) {
    const found = guardedPattern('<material>(.*?)</material>', { dotAll: true, ignoreCase: true }).first(text)
    return found ? strip(found.groups[0] ?? '') : notFound()
  },
})

const directOrNot = { indirect: 'Indirect', direct: 'Direct' }
const trueOrFalse = { true: 'True', yes: 'True', false: 'False', no: 'False' }

/** The properties with a word as value, and its normalized spellings. */
const words: Record<string, Readonly<Record<string, string>>> = {
  Direct_or_indirect: directOrNot,
  Direct_or_indirect_HSE: directOrNot,
  SOC: trueOrFalse,
  is_gap_direct: trueOrFalse,
  is_stable: trueOrFalse,
}

const wordOf = (property: string, text: string) => ownEntry(words[property]!, text.toLowerCase()) ?? notFound()

/** JSON numbers stay numbers, other values become text. */
function fromJson(json: PyValue | undefined, property: string): PyValue | NotFound | undefined {
  const value = isDict(json) ? dictGet(json, property) : undefined
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return pyFloat(Number(value))
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat) return pyFloat(floatOf(value)!)
  return property in words ? wordOf(property, pyStr(value)) : pyStr(value)
}

function fromText(text: string, property: string): PyValue | NotFound {
  const pattern = String.raw`\{[^{}]*["\']?${escapePattern(property)}["\']?\s*:\s*["\']?(.*?)["\']?\s*\}`
  const found = guardedPattern(pattern, { dotAll: true, ignoreCase: true }).first(text)
  if (!found) return notFound()
  const value = strip(strip(found.groups[0] ?? ''), '"')
  if (property in words) return wordOf(property, value)
  const number = floatOf(value)
  return number === undefined ? notFound() : pyFloat(number)
}

export const llm4Mat = definePostprocessor({
  names: ['LLM4Mat_postprocessor'],
  does: 'The value of `property` in the JSON of the answer, or in something like it; a property that is direct or indirect, true or false, is written in one spelling.',
  example: { options: { property: 'band_gap' }, answer: 'So: {band_gap: 0.75}', becomes: 0.75 },
  options: z.strictObject({ property: z.string().describe('The property that the rows ask for.') }),
  finds: true,
  process(text, { property }) {
    const said = afterFinishedThinking(strip(text))
    const json = guardedPattern(String.raw`^${'```'}(?:json)?\s*|\s*${'```'}$`, { ignoreCase: true, multiline: true }).without(strip(said))
    return fromJson(jsonOf(json), property) ?? fromText(json, property)
  },
})
