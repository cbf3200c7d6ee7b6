import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { exitCodes, exitHelp } from './exit-codes.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

test('every exit code has one meaning', () => {
  const codes = Object.values(exitCodes).map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
})

/** An exit code that is not taken from the table: a number, or a way to end the process that needs none. */
const bareCode = /exit_?code['"]?\s*[:=](?!=)\s*-?\d|process\.exit(?:Code)?\b|\bexit code:? \d|\bexits? with (?:code )?\d/i

test('a bare exit code is recognised', () => {
  for (const line of [
    'exit_code: 1 }',
    'process.exitCode = 3',
    'process.exit(130)',
    'const exitCode = 2',
    'Exit code: 0, 2 when',
    'exit with code 3 if',
  ])
    expect(line).toMatch(bareCode)
  for (const line of ["exit_code: exitCodes['check-failed'].code", 'setExitCode(failure)', 'error.exitCode === code'])
    expect(line).not.toMatch(bareCode)
})

test('commands take their exit codes from the table, in code and in help', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ts$/.test(name))
  const sources = files.filter((name) => !/\.test\.ts$|^exit-codes\.ts$/.test(name))
  expect(sources.length).toBeGreaterThan(100)
  const bare = sources.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line, index) => (bareCode.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  )
  expect(bare).toEqual([])
})

test('the help of a command lists its codes in the order of the table, in lines that fit', () => {
  const text = exitHelp({ 'check-failed': 'c'.repeat(60), refused: 'r'.repeat(60), ok: 'written' })
  expect(text).toBe(`Exit code: 0 written, 2 ${'r'.repeat(60)},\n3 ${'c'.repeat(60)}`)
})

test('rolecall --help all lists the codes', async () => {
  const { stdout, code } = await rolecall(['--help', 'all'])
  expect(code).toBe(exitCodes.ok.code)
  for (const [name, { code }] of Object.entries(exitCodes)) expect(stdout).toContain(`${code} ${name}`)
})
