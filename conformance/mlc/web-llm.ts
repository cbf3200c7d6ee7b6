import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PyValue, parseJson, stringifyJson } from '../../src/python/index.ts'
import type { Verdict } from '../judge.ts'
import { outcomeOf, sameValue } from '../outcome.ts'
import { newPromptSubject } from './new-prompt.ts'
import { explains, rulesOf } from './rules.ts'
import { asVector, type MlcVector } from './vector.ts'

/**
 * WebLLM writes the same templates in its own way. It is followed where MLC-LLM agrees with it: those vectors must pass. Others pass where
 * ours is the same; what WebLLM does alone (separators by position, `$` patterns, names instead of roles) is not followed.
 */
export function judgeWebLlm(vector: MlcVector, folder: string): Verdict {
  if (vector.mode !== 'full' && vector.mode !== 'request') return { kind: 'later' }
  const expected = vector.expected === undefined ? undefined : flatten(vector.expected)
  const ours = outcomeOf(() => flatten((newPromptSubject(asNew(vector)).produce() as { prompt: PyValue }).prompt))
  const agrees = 'error' in ours ? expected === undefined : expected !== undefined && sameValue(ours.value, expected)
  if (agrees) return { kind: 'passed' }
  const twin = twinsIn(folder).get(inputOf(vector))
  const mustAgree = twin !== undefined && expected !== undefined && sameValue(twin, expected)
  if (!mustAgree) return { kind: 'later' }
  const asMlc = { ...vector, source: 'mlc-new' as const, expected: expected as PyValue }
  const rule = rulesOf(asMlc).find((one) => explains(one, 'value' in ours ? { value: { prompt: ours.value } } : ours, asMlc))
  if (rule) return { kind: 'deviation', rule: rule.name }
  return { kind: 'failed', why: `ours ${JSON.stringify(ours)}, expected ${JSON.stringify(expected)}, as mlc-new has it` }
}

/** The system message that a vector sets is what a config would say; so is the text of the tools. */
function asNew({ override_system_message: system, function_string: functions, config, ...vector }: MlcVector): MlcVector {
  const changes = {
    ...(system === undefined ? {} : { system_message: system }),
    ...(functions === undefined ? {} : { function_string: functions }),
  }
  return { ...vector, config: { ...(config as object), ...changes } }
}

const known = new Map<string, ReadonlyMap<string, unknown>>()

/** What mlc-new makes of its inputs, from the files beside this one. */
function twinsIn(folder: string): ReadonlyMap<string, unknown> {
  const found = known.get(folder)
  if (found) return found
  const lines = readdirSync(folder).flatMap((name) => (name.endsWith('.jsonl') ? readFileSync(join(folder, name), 'utf8').split('\n') : []))
  const vectors = lines
    .filter((line) => line.includes('"mlc-new"'))
    .map((line) => asVector(parseJson(line)))
    .filter(({ mode }) => mode === 'full' || mode === 'request')
  const twins = new Map(
    vectors.flatMap((vector) => (vector.expected === undefined ? [] : [[inputOf(vector), flatten(vector.expected)] as const])),
  )
  known.set(folder, twins)
  return twins
}

function inputOf({ mode, template, config, messages, tools, tool_choice: choice, ...vector }: MlcVector): string {
  const given = { mode, template, config, messages, tools: tools ?? null, choice: choice ?? null }
  const extras = [vector.override_system_message, vector.function_string].map((extra) => extra ?? null)
  return stringifyJson({ ...given, extras } as PyValue)
}

/** Both write segments; the prompt is what they come to together. */
function flatten(value: PyValue): unknown[] {
  const parts: unknown[] = []
  for (const part of (value as unknown[]).flat(2)) {
    if (typeof part === 'string' && typeof parts.at(-1) === 'string') parts[parts.length - 1] += part
    else if (part !== '') parts.push(part)
  }
  return parts
}
