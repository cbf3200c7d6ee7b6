import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { main, rolecall } from '../../../../../proof/testing/rolecall.ts'
import { programTimeout, succeeds } from '../../../../../proof/testing/run-program.ts'
import { type AskUser, chooseEntries } from './choose-entries.ts'
import type { LoadedSelection } from './collect-views.ts'

const entriesNamed = (...names: string[]) => names.map((abbr) => ({ abbr, infer_cfg: {} }))

function config(selection: LoadedSelection['selection'] = {}): LoadedSelection {
  const [models, datasets] = [entriesNamed('qwen', 'llama'), entriesNamed('gsm8k', 'gsm-hard', 'mmlu')]
  return { file: 'c.yaml', folder: '.', config: { models, datasets } as never, selection, isSample: false }
}

const named = ({ config: { models, datasets } }: LoadedSelection) => [models, datasets].map((all) => all.map(({ abbr }) => abbr).join(' '))

function answering(...answers: (string | undefined)[]): AskUser & { asked: string[] } {
  const asked: string[] = []
  return Object.assign(
    async (question: string) => {
      asked.push(question)
      return answers.shift()
    },
    { asked },
  )
}

describe('what is shown', () => {
  const flags = { all: false, nonInteractive: false }

  test('everything, where the output is not a terminal, and with -a', async () => {
    expect(await chooseEntries(config(), flags)).toEqual(config())
    expect(await chooseEntries(config(), { ...flags, all: true }, answering())).toEqual(config())
  })

  test('the first model and dataset with -n', async () => {
    expect(named(await chooseEntries(config(), { ...flags, nonInteractive: true }, answering()))).toEqual(['qwen', 'gsm8k'])
    expect(named(await chooseEntries(config({ datasets: 'm*' }), { ...flags, nonInteractive: true }))).toEqual(['qwen', 'mmlu'])
  })

  test('what the user picks by number, name or pattern; Enter is all', async () => {
    expect(named(await chooseEntries(config(), flags, answering('2', 'gsm*')))).toEqual(['llama', 'gsm8k gsm-hard'])
    expect(named(await chooseEntries(config(), flags, answering('', 'mmlu')))).toEqual(['qwen llama', 'mmlu'])
  })

  test('is not asked about what a flag has selected', async () => {
    const ask = answering('3')
    expect(named(await chooseEntries(config({ models: 'qwen,llama' }), flags, ask))).toEqual(['qwen llama', 'mmlu'])
    expect(ask.asked).toHaveLength(1)
  })

  test('is asked again after a mistake, which is explained', async () => {
    const ask = answering('9', 'qwn', '1', '')
    expect(named(await chooseEntries(config(), flags, ask))[0]).toBe('qwen')
    expect(ask.asked[1]).toContain('there is no "9"')
    expect(ask.asked[2]).toContain('did you mean "qwen"?')
  })

  test('nothing, if the user closes the terminal', async () => {
    await expect(chooseEntries(config(), flags, answering(undefined))).rejects.toMatchObject({ code: 'stopped' })
  })
})

const folder = folderWith({
  'rolecall.config.json': JSON.stringify({
    models: [
      { abbr: 'one', format: 'chatml' },
      { abbr: 'two', format: 'plain' },
    ],
    datasets: ['gsm8k', 'mmlu'].map((abbr) => ({
      abbr,
      rows: [{ q: `${abbr}?` }, { q: 'again?' }],
      infer_cfg: { prompt_template: { template: '{q}' } },
    })),
  }),
})
const headings = (stdout: string) => stdout.match(/^╭─ .*?(?= ─)/gm)
const render = (...words: string[]) => rolecall(['render', ...words], folder)

describe('render takes the flags of OpenCompass’s prompt viewer', () => {
  test('-n, -p, -c and -a', async () => {
    expect(headings((await render('-n')).stdout)).toEqual(['╭─ gsm8k · row 0 · one · gen'])
    expect(headings((await render('-n', '-p', 'mm*', '-c', '9')).stdout)).toEqual([
      '╭─ mmlu · row 0 · one · gen',
      '╭─ mmlu · row 1 · one · gen',
    ])
    expect(headings((await render('-a')).stdout)).toHaveLength(4)
    expect(headings((await render('--datasets', 'gsm*', '--models', 't*')).stdout)).toEqual(['╭─ gsm8k · row 0 · two · gen'])
  })

  test('a pattern that matches nothing lists the names', async () => {
    expect(await render('-p', 'ceval*')).toMatchObject({ code: 2, stderr: expect.stringContaining('use one of: gsm8k, mmlu') })
  })

  test('-p beside --datasets is an error', async () => {
    expect(await render('-p', 'g*', '--datasets', 'mmlu')).toMatchObject({ code: 2, stderr: expect.stringContaining('-p or --datasets') })
  })
})

const hasPython = succeeds('python3', '-c', 'import pty')

/** Runs the command on a pseudo-terminal and types the answers; prints what the terminal showed. */
const onTerminal = `
import os, pty, sys
answers = sys.argv[1].encode().split(b'|')
shown = b''
def read(fd):
    global shown
    data = os.read(fd, 65536)
    shown += data
    while answers and shown.count(b'shows all: ') > typed[0]:
        typed[0] += 1
        os.write(fd, answers.pop(0))
    return data
typed = [0]
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read)))
`

describe(`on a terminal${hasPython ? '' : ' (needs python3)'}`, () => {
  const type = (answers: string) =>
    spawnSync('python3', ['-c', onTerminal, answers, process.execPath, main, 'render'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: programTimeout,
      env: { ...process.env, NO_COLOR: '1', TERM: 'dumb' },
    })

  test.skipIf(!hasPython)('render asks for a model and a dataset (skipped without python3)', () => {
    const { stdout, status } = type('2\r|mmlu\r')
    expect(headings(stdout.replaceAll('\r', ''))).toEqual(['╭─ mmlu · row 0 · two · gen'])
    expect(status).toBe(0)
  })

  test.skipIf(!hasPython)('Ctrl-C ends it with the shells’ exit code (skipped without python3)', () => {
    const { stdout, status } = type('\x03')
    expect([status, stdout.includes('╭─')]).toEqual([130, false])
  })
})
