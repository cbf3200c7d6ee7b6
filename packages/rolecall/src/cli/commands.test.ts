import { expect, test } from 'vitest'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { commands } from './commands.ts'

test('the help lists every command by task, on one line each and one screen together', async () => {
  const { code, stdout } = await rolecall(['--help'])
  const lines = stdout.trimEnd().split('\n')
  for (const { name, does, task } of commands) {
    const line = lines.findIndex((one) => one.startsWith(`  ${name} `))
    expect(lines[line]).toMatch(new RegExp(`^  ${name} +${does.replace(/[.*+?()[\]\\]/g, '\\$&')}$`))
    expect(lines.slice(0, line).findLast((one) => /^\S.*:$/.test(one))).toBe(`${task}:`)
  }
  expect({ code, wide: lines.filter((one) => one.length > 80) }).toEqual({ code: 0, wide: [] })
  expect(lines.length).toBeLessThanOrEqual(50)
})

test('an entry of the table loads the command of its name', async () => {
  for (const { name, load } of commands) expect((await load()).name()).toBe(name)
})

test('without arguments, three commands to start with are printed, and each is a command', async () => {
  const { code, stdout } = await rolecall([])
  const first = [...stdout.matchAll(/^ {2}rolecall (\w+)/gm)].map(([, name]) => name)
  expect(first).toHaveLength(3)
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(first))
  expect({ code, withFlag: (await rolecall(['--no-color'])).stdout }).toEqual({ code: 0, withFlag: stdout })
})

test('a misspelt command is an error that suggests the right one', async () => {
  const { code, stderr, stdout } = await rolecall(['renderr'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('Did you mean render?')
})

test('help COMMAND shows what COMMAND --help shows', async () => {
  expect((await rolecall(['help', 'score'])).stdout).toBe((await rolecall(['score', '--help'])).stdout)
})

test('the flags of run are grouped by what they decide', async () => {
  const { stdout } = await rolecall(['run', '--help'])
  const headings = [...stdout.matchAll(/^([A-Z][^:\n]{0,40}):$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual([
    'Arguments',
    'Model',
    'Data',
    'Sampling (overrides the config)',
    'Limits',
    'Results',
    'Many machines',
    'Options',
    'Examples',
  ])
  const ungrouped = stdout.slice(stdout.indexOf('\nOptions:'), stdout.indexOf('\nExamples:'))
  expect(ungrouped.match(/^ {2}-.*/gm)).toEqual([expect.stringMatching(/^ {2}-h, --help/)])
})
