import { expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { commands } from './commands.ts'
import { widthOf } from './screen/fit-text.ts'
import { shownCommand } from './words/command-words.ts'

const words = (
  await Promise.all(commands.map(async ({ name, load }) => [[name], ...(await load()).commands.map((part) => [name, part.name()])]))
).flat()

test.each([60, 80, 100, 160])('at %d columns, the help of every command and of its actions fits one screen', async (width) => {
  for (const command of words) {
    const { code, stdout } = await rolecall([...command, '--help'], undefined, { COLUMNS: String(width) })
    const lines = stdout.trimEnd().split('\n')
    expect({ command, code, lines: lines.length <= 25, tooWide: lines.filter((line) => widthOf(line) > width) }).toEqual({
      command,
      code: 0,
      lines: true,
      tooWide: [],
    })
    expect(stdout, command.join(' ')).toContain('--help all')
  }
})

test('the flags of a command that has many of them are in groups', async () => {
  for (const { name, load } of commands) {
    const { options } = await load()
    if (options.length <= 16 || name === 'view') continue
    const { stdout } = await rolecall([name, '--help', 'all'])
    const headings = [...stdout.matchAll(/^([A-Z][^:\n]{0,60}):$/gm)].map(([, heading]) => heading)
    const groups = headings.filter((heading) => !['Arguments', 'Examples', 'Exit codes'].includes(heading ?? ''))
    expect({ name, groups: groups.length >= 2 }).toEqual({ name, groups: true })
  }
})

test('the overview names every command, fits one screen, and is what is printed without arguments', async () => {
  const { code, stdout } = await rolecall(['--help'])
  const lines = stdout.trimEnd().split('\n')
  expect({ code, wide: lines.filter((line) => line.length > 80) }).toEqual({ code: 0, wide: [] })
  expect(lines.length).toBeLessThanOrEqual(25)
  for (const { name } of commands) {
    const [first, second] = shownCommand(name).split(' ')
    for (const word of [first, second].filter((part) => part !== undefined && !part.startsWith('--')))
      expect(stdout, name).toMatch(new RegExp(`\\b${word}\\b`))
  }
  expect((await rolecall([])).stdout).toBe(stdout)
  expect((await rolecall(['--no-color'])).stdout).toBe(stdout)
})

test('--help all lists every flag, and every command with what it does', async () => {
  const { stdout } = await rolecall(['--help', 'all'])
  for (const { name, does } of commands) expect(stdout).toMatch(new RegExp(`^  ${name} +${does.replace(/[.*+?()[\]\\]/g, '\\$&')}$`, 'm'))
  expect((await rolecall(['run', '--help', 'all'])).stdout).toContain('--wait-for-workers')
})

test('an entry of the table loads the command of its name', async () => {
  for (const { name, load } of commands) expect((await load()).name()).toBe(name)
})

test('a misspelt command is an error that suggests the right one', async () => {
  const { code, stderr, stdout } = await rolecall(['renderr'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe('error renderr\n  there is no such command\n  → did you mean `rolecall render`? All: rolecall --help\n')
})

test('help COMMAND shows what COMMAND --help shows', async () => {
  expect((await rolecall(['help', 'score'])).stdout).toBe((await rolecall(['score', '--help'])).stdout)
})

test('the flags of run are grouped by what they decide', async () => {
  const { stdout } = await rolecall(['run', '--help', 'all'])
  const headings = [...stdout.matchAll(/^([A-Z][^:\n]{0,40}):$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual([
    'Arguments',
    'Model',
    'Data',
    "As in OpenCompass's command line",
    "Users' own Python",
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

test.each([
  [['eval'], 'error eval\n  there is no such command\n  → here it is: rolecall run\n'],
  [['report'], '  → here it is: rolecall export report\n'],
  [['tasks'], '  → here it is: rolecall list tasks\n'],
  [['runs'], 'error rolecall runs\n  it needs one of: merge, watch, ctl, queue, worker\n'],
  [['runs', 'wach'], '  → did you mean `rolecall runs watch`?\n'],
  [
    ['run', '--temprature', '0'],
    'error --temprature\n  `rolecall run` has no such flag\n  → did you mean --temperature? All flags: rolecall run --help all\n',
  ],
  [['run', '--repeat', '3'], '  → here it is --epochs\n'],
  [['run', '--max-token', '3'], '  → here it is --max-out-len\n'],
  [['run', '--limit', 'x'], 'error --limit x\n  expected a number of rows'],
  [['run', '--limit'], 'error --limit\n  it takes a value\n  → --limit <number>: at most this many rows'],
  [
    ['run', '--seed', '1', '--seed', '2'],
    'error --seed\n  it is given twice (1 and 2), and holds one value\n  → leave one out; for several answers',
  ],
  [['compare'], 'error rolecall compare\n  it needs FIRST: '],
])('a mistake in the command line has a place, a cause and a fix: %j', async (args, expected) => {
  const { code, stdout, stderr } = await rolecall(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(expected)
})

test('older names of commands work, and say the new ones', async () => {
  const old = await rolecall(['formats', '--kind', 'meta'])
  const now = await rolecall(['list', 'formats', '--kind', 'meta'])
  expect(old).toEqual({ code: 0, stdout: now.stdout, stderr: 'note `formats` is now `list formats`\n' })
  expect(now).toMatchObject({ code: 0, stderr: '' })
})

test('lists are written with commas, as several words, or by repeating their flag', async () => {
  const at = folderWith({ 'chat.json': JSON.stringify([{ role: 'user', content: 'Hi' }]) })
  const shown = (...args: string[]) => rolecall(['run', 'chat.json', '--dry-run', ...args, '--no-score'], at)
  const commas = await shown('--formats', 'chatml,plain')
  const words = await rolecall(['run', '--dry-run', '--no-score', '--formats', 'chatml', 'plain', 'chat.json'], at)
  const repeated = await shown('--formats', 'chatml', '--formats', 'plain')
  expect([words.stdout, repeated.stdout]).toEqual([commas.stdout, commas.stdout])
})

test('list prints evaluators, and the models of a config', async () => {
  const at = folderWith({
    'rolecall.config.json': JSON.stringify({ models: [{ abbr: '通义千问', type: 'embedded', format: 'internlm2' }], datasets: [] }),
  })
  expect((await rolecall(['list', 'evaluators', 'acc'], at)).stdout).toMatch(/^AccEvaluator +Right when/m)
  expect((await rolecall(['list', 'models'], at)).stdout).toMatch(/^1 model\n\n通义千问 +embedded$/m)
  expect(await rolecall(['list', 'evaluators', 'nothing-like-this'], at)).toMatchObject({ code: 2, stdout: '' })
})
