import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { programTimeout, succeeds } from '../../../../../proof/testing/run-program.ts'

const has = (shell: string) => succeeds(shell, '-c', 'true')
const script = async (shell: string) => (await rolecall(['completion', shell])).stdout

/** The completions that bash offers for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const file = join(folderWith({}), 'completion.bash')
  writeFileSync(file, await script('bash'))
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rolecall; printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['--norc', '-c', program, 'bash', file, 'rolecall', ...words], {
    encoding: 'utf8',
    timeout: programTimeout,
  })
  return printed.split('\n').filter((word) => word !== '')
}

const needs = (shell: string) => (has(shell) ? '' : ` (skipped: ${shell} is not installed)`)

test.skipIf(!has('bash'))(`bash completes commands, flags, and values where they are known${needs('bash')}`, async () => {
  expect(await offered('re')).toEqual(['render'])
  expect(await offered('comp')).toEqual(['compare', 'completion'])
  expect(await offered('run', '--max-')).toEqual([
    '--max-seq-len',
    '--max-out-len',
    '--max-num-workers',
    '--max-cost',
    '--max-tokens-total',
    '--max-time',
  ])
  expect(await offered('run', '--log-probabilities', '')).toEqual(['all', 'labels', 'none'])
  expect(await offered('run', 'eval.yaml', '--format', 'chat')).toContain('chatml')
  expect(await offered('run', '--preset', 'gsm')).toContain('gsm8k')
  expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  // The shell completes files.
  expect(await offered('run', '')).toEqual([])
  expect(await offered('run', '--work-dir', 'o')).toEqual([])
})

test.skipIf(!has('zsh'))(`zsh reads its script${needs('zsh')}`, async () => {
  const text = await script('zsh')
  const read = spawnSync('zsh', ['-f', '-c', 'autoload -U compinit && compinit -D -u && eval "$1" && whence -w _rolecall', 'zsh', text], {
    encoding: 'utf8',
    timeout: programTimeout,
  })
  expect([read.stdout, read.stderr]).toEqual(['_rolecall: function\n', ''])
})

test.skipIf(!has('fish'))(`fish completes by its script${needs('fish')}`, async () => {
  const complete = (line: string, text: string) =>
    spawnSync('fish', ['--no-config', '-c', `${text}\ncomplete -C '${line}'`], { encoding: 'utf8', timeout: programTimeout }).stdout
  const text = await script('fish')
  expect(complete('rolecall re', text)).toMatch(/^render\tprint the exact prompt/m)
  expect(complete('rolecall run --log-probabilities ', text).match(/^\w+/gm)).toEqual(['all', 'labels', 'none'])
})

test('an unknown shell is an error', async () => {
  expect(await rolecall(['completion', 'tcsh'])).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish') })
})
