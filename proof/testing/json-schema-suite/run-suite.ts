import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { type CompiledConstraint, compileConstraint } from '../../../packages/core/src/constrain/compile-constraint.ts'
import type { Machine } from '../../../packages/core/src/constrain/machine/machine.ts'
import { seededRandom } from '../../../packages/rolecall/src/model/language-model/sampling.ts'

type Group = { description: string; schema: unknown; tests: readonly { description: string; data: unknown; valid: boolean }[] }

/** What became of one schema of the suite. */
export type SuiteOutcome = {
  file: string
  description: string
  /** Why the schema is refused. */
  refused?: string
  /** Invalid values that the constraint accepts or writes. */
  wrong: readonly string[]
  /** How many valid values of the suite cannot be written, of how many. */
  unwritable: number
  valid: number
  /** Values written at random that are complete, and how many were cut off at their maximum length. */
  written: number
  cut: number
}

/**
 * Runs the schemas of a checkout of JSON-Schema-Test-Suite: no invalid value may be accepted, and every value written by choosing allowed
 * bytes at random must be valid.
 */
export function runSuite(folder: string, writes = 20): SuiteOutcome[] {
  const draft = join(folder, 'tests', 'draft2020-12')
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, multipleOfPrecision: 6, logger: false })
  const files = ['.', 'optional', 'optional/format'].flatMap((part) =>
    readdirSync(join(draft, part))
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(part, name)),
  )
  return files.flatMap((file) =>
    (JSON.parse(readFileSync(join(draft, file), 'utf8')) as Group[]).map((group) => runGroup(file, group, ajv, writes)),
  )
}

function runGroup(file: string, { description, schema, tests }: Group, ajv: Ajv2020, writes: number): SuiteOutcome {
  const outcome = { file, description, unwritable: 0, valid: 0, written: 0, cut: 0 }
  let compiled: CompiledConstraint
  try {
    compiled = compileConstraint({ kind: 'json-schema', schema })
  } catch (error) {
    // Right, where nothing is valid.
    if (error instanceof PromptError && error.problem.startsWith('no value satisfies') && tests.every(({ valid }) => !valid))
      return { ...outcome, wrong: [] }
    if (error instanceof PromptError) return { ...outcome, wrong: [], refused: error.message }
    throw error
  }
  const wrong: string[] = []
  for (const { data, valid } of tests) {
    const isAccepted = compiled.accepts(JSON.stringify(data))
    if (valid) outcome.valid++
    if (valid && !isAccepted) outcome.unwritable++
    if (!valid && isAccepted) wrong.push(`accepts ${JSON.stringify(data)}`)
  }
  let validate: ((value: unknown) => unknown) | undefined
  try {
    const compiledByAjv = ajv.compile(schema as object)
    // Ajv errs on some schemas of the suite, and cannot compile others: their values are judged by the suite alone.
    if (tests.every(({ data, valid }) => compiledByAjv(data) === valid)) validate = compiledByAjv
  } catch {
    validate = undefined
  }
  for (let seed = 0; seed < writes && validate; seed++) {
    const text = writeBytes(compiled.machine(), seed)
    if (text === undefined) outcome.cut++
    else {
      outcome.written++
      if (!validate(JSON.parse(text))) wrong.push(`writes ${text}`)
    }
  }
  return { ...outcome, wrong: [...new Set(wrong)] }
}

const mostBytes = 400

/** A value of random allowed bytes, mostly printable ones; undefined if it is not complete after a while. */
function writeBytes(machine: Machine, seed: number): string | undefined {
  const random = seededRandom(seed)
  const bytes: number[] = []
  let state = machine.start
  while (bytes.length < mostBytes) {
    if (state.isComplete && (state.isOver || random() < 0.5)) return Buffer.from(bytes).toString('utf8')
    const allowed = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => machine.next(state, byte))
    const closing = allowed.filter((byte) => '"]}'.includes(String.fromCharCode(byte)))
    const plain = allowed.filter((byte) => byte > 0x20 && byte < 0x7f)
    const some = closing.length > 0 && random() < 0.4 ? closing : plain.length > 0 && random() < 0.9 ? plain : allowed
    const byte = some[Math.floor(random() * some.length)]!
    state = machine.next(state, byte)!
    bytes.push(byte)
  }
  return undefined
}
