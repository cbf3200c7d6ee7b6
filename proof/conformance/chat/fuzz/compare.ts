import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileTemplate, TemplateError } from '../../../../packages/core/src/base/jinja/index.ts'
import { dictEntries, type PyDict, type PyValue, parseJson } from '../../../../packages/core/src/base/python/index.ts'
import { textOf } from '../../../../packages/core/src/base/text/index.ts'
import { programTimeout, succeeds } from '../../../testing/run-program.ts'
import { Random } from './random.ts'
import { randomTemplate } from './random-template.ts'
import { variablesJson } from './vocabulary.ts'

export type Answer = { text: string } | { error: string; message: string }
export type Difference = { seed: number; template: string; python: Answer; ours: Answer; way: string }

const script = fileURLToPath(new URL('reference.py', import.meta.url))

/** Why Python's Jinja2 is unavailable; undefined if it is available. */
export function missingPython(): string | undefined {
  return succeeds('python3', '-c', 'import jinja2') ? undefined : 'python3 with jinja2 is not installed'
}

/** Renders templates with Python's Jinja2. */
export function askPython(templates: readonly string[], variables = variablesJson): Answer[] {
  const json = variables.replaceAll('\n', ' ')
  const input = templates.map((template) => `{"template": ${JSON.stringify(template)}, "variables": ${json}}\n`).join('')
  const { stdout, stderr, status } = spawnSync('python3', ['-W', 'ignore', script], {
    input,
    maxBuffer: 1 << 30,
    encoding: 'utf8',
    timeout: programTimeout,
  })
  if (status !== 0) throw new Error(`python3 failed: ${stderr}`)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
}

const variables: Readonly<Record<string, PyValue>> = Object.fromEntries(dictEntries(parseJson(variablesJson) as PyDict))

export function askOurs(template: string): { text: Answer; pieces: Answer } {
  const clock = new Date('2025-03-14T15:09:26')
  const attempt = (render: () => string): Answer => {
    try {
      return { text: render() }
    } catch (error) {
      if (error instanceof TemplateError) return { error: error.type, message: error.reason }
      throw error
    }
  }
  return {
    text: attempt(() => compileTemplate(template).render(variables, { clock })),
    pieces: attempt(() =>
      textOf(compileTemplate(template).renderPieces(variables, (name) => ({ by: 'message', path: name }), { clock }).pieces),
    ),
  }
}

/** Renders random templates in both engines. Output that contains a Python object address cannot be compared. */
export function findDifferences(firstSeed: number, count: number): Difference[] {
  const seeds = Array.from({ length: count }, (_, index) => firstSeed + index)
  const templates = seeds.map((seed) => randomTemplate(new Random(seed)))
  const answers = askPython(templates)
  return seeds.flatMap((seed, index): Difference[] => {
    const template = templates[index]!
    const python = answers[index]!
    if ('text' in python && /(?: at 0x|<[\w.]+ object|<bound method|<built-in)/.test(python.text)) return []
    const ours = askOurs(template)
    return (['text', 'pieces'] as const)
      .flatMap((way) => (same(python, ours[way]) ? [] : [{ seed, template, python, ours: ours[way], way }]))
      .slice(0, 1)
  })
}

/** Requires the same text, or an error in both engines; the message of `raise_exception` is part of the contract. */
function same(python: Answer, ours: Answer): boolean {
  if ('text' in python) return 'text' in ours && python.text === ours.text
  if (!('error' in ours)) return false
  return python.error !== 'TemplateError' || (ours.error === 'TemplateError' && ours.message === python.message)
}
