import { extname, relative, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { isPromptfooConfig } from '../../compat/promptfoo/read-promptfoo.ts'
import type { CheckedConfig } from '../../evaluation/config/check-config.ts'
import { writtenConfig } from '../runs/written-config.ts'
import { configIn, findConfig, loadConfig, readInput } from './load-config.ts'
import { promptfooIn } from './promptfoo-config.ts'
import { configFile } from './quickstart.ts'

/** The given config, or the nearest one, in its full form as YAML; nothing is downloaded, and functions stay names. */
export async function fullForm(config: string | undefined): Promise<string> {
  const given = config === undefined ? findConfig(process.cwd()) : configFile(config)
  if (given === undefined)
    throw new PromptError('missing', {
      where: '--print-config',
      problem: 'there is no config here',
      fix: 'give one, or write one with `rolecall init`',
    })
  const file = configIn(resolve(given))
  const { stringify } = await import('yaml')
  return stringify(writtenConfig((await written(file)) as CheckedConfig), { lineWidth: 0, aliasDuplicateObjects: false })
}

async function written(file: string): Promise<unknown> {
  if (extname(file) === '.py') return (await loadConfig(file)).config
  const where = relative(process.cwd(), file) || file
  const { written: input } = await readInput(file, where)
  return isPromptfooConfig(input) ? (await promptfooIn(input, file, where)).config : input
}
