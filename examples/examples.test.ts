import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { runCommand } from '../docs/run-command.ts'
import { hasPython, warnIfMissing } from '../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../proof/testing/python-snapshot.ts'
import { testWhatChanged } from '../proof/testing/test-what-changed.ts'

keepPythonSnapshot()

const folder = new URL('.', import.meta.url)
const programs = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))

const usesPython = programs.filter((name) => read(name).includes('pythonSandbox('))
warnIfMissing(hasPython, usesPython.join(', '), 'deno and pyodide')

describe('each program prints what stands at its end', () => {
  // Python takes seconds to start, on a busy machine many.
  testWhatChanged(
    programs.filter((name) => hasPython || !usesPython.includes(name)).map((name) => ({ name, text: read(name) })),
    async ({ name }) => {
      const lines: string[] = []
      vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => lines.push(...values.join(' ').split('\n')))
      await import(new URL(name, folder).href)
      expect(lines.map((line) => `// ${line}`.trimEnd()).join('\n')).toBe(promised(name))
    },
    120_000,
  )
})

test('programs are short', () => {
  for (const name of programs) expect({ name, isShort: read(name).split('\n').length <= 40 }).toEqual({ name, isShort: true })
})

describe('rolecall.config.yaml renders as document 001 shows', () => {
  const render = (...args: string[]) =>
    runCommand(['render', 'examples/rolecall.config.yaml', ...args], fileURLToPath(new URL('../', folder)))

  test('a language model: the last sentence is left to it', async () => {
    const prompt =
      'Meta instruction: You are now a helpful and harmless AI assistant.SYSTEM: Solve the following math questions\n' +
      'HUMAN: 1+1=?<eoh>\nTHOUGHTS: None<eot>\nBOT: 2<eob>\n' +
      'HUMAN: 2+2=?<eoh>\nTHOUGHTS: None<eot>\nBOT: '
    expect(await render('--models', 'complete', '--text')).toBe(prompt)
    const complete = await render('--models', 'complete', '--mode', 'ppl', '--text')
    expect(complete).toBe(`${prompt}4<eob>\nend of conversion`)
  })

  test('an API model, with and without a system role', async () => {
    const asked = [
      { role: 'assistant', content: '2' },
      { role: 'user', content: '2+2=?' },
    ]
    const system = { role: 'system', content: 'Solve the following math questions' }
    expect(JSON.parse(await render('--models', 'api-with-system', '--text'))).toEqual([
      system,
      { role: 'user', content: '1+1=?' },
      ...asked,
    ])
    const first = { role: 'user', content: 'Solve the following math questions\n1+1=?' }
    expect(JSON.parse(await render('--models', 'api-without-system', '--text'))).toEqual([first, ...asked])
  })
})

test('tool-calls.config.yaml tells the model of its tools in each format', async () => {
  const repository = fileURLToPath(new URL('../', folder))
  const render = (model: string) =>
    runCommand(['render', 'examples/tool-calls.config.yaml', '--models', model, '--datasets', 'one turn', '--text'], repository)
  expect(await render('internlm2')).toMatch(/^<s><\|im_start\|>system name=<\|plugin\|>\n\[\{"name": "get_current_weather"/)
  expect(await render('chatml')).toMatch(
    /^<\|im_start\|>system\nTools: \[\{"type": "function", "function": \{"name": "get_current_weather"/,
  )
})

function read(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

/** The comment lines behind `// Prints:`. */
function promised(name: string): string {
  const [, output] = read(name).split('// Prints:\n')
  if (output === undefined) throw new Error(`${name} has no line "// Prints:"`)
  return output.trimEnd()
}
