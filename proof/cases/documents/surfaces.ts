import { join } from 'node:path'
import { stringify } from 'yaml'
import { compilePrompt } from '../../../packages/core/src/prompt/compile/compile-prompt.ts'
import { promptText } from '../../../packages/core/src/prompt/format/prompt-text.ts'
import { chosenModels } from '../../../packages/rolecall/src/cli/serve/serve-command.ts'
import { openViewed } from '../../../packages/rolecall/src/cli/view/open-viewed.ts'
import type { DatasetConfig, ModelConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { loadConfig } from '../../../packages/rolecall/src/node/config/load-config.ts'
import { rolecall } from '../../testing/rolecall.ts'
import type { Statement } from './statement.ts'

/** What a reader does with a file; it throws, or returns the error of the command. */
type Surface = (file: string, folder: string) => Promise<string | undefined>

/** Where a snippet must work. */
export const surfaces: Readonly<Record<string, Surface>> = {
  render: (file, folder) => command(folder, 'render', file),
  run: (file, folder) => command(folder, 'run', file, '--no-cache', '--limit', '1', '--max-out-len', '1', '--json', '-w', 'out'),
  serve: async (file, folder) => {
    const { models } = await quietly(() => chosenModels(join(folder, file), {} as never))
    return models.every(({ type }) => type === 'embedded') ? undefined : 'another model'
  },
  chat: (file, folder) => command(folder, 'chat', '--config', file, '--no-tools', '--max-tokens', '1', '1+1=?'),
  library: async (file, folder) => {
    const { config } = await loadConfig(join(folder, file))
    const [model = {}, dataset] = [config.models[0] as ModelConfig | undefined, config.datasets[0] as DatasetConfig | undefined]
    const [row] = (dataset?.rows ?? []) as Record<string, string>[]
    if (dataset === undefined || row === undefined) return 'no dataset'
    return promptText(compilePrompt(model, dataset).render({ row, mode: 'gen' }).prompt) === '' ? 'no prompt' : undefined
  },
  viewer: async (file, folder) => {
    const { configs } = await quietly(() => openViewed([join(folder, file)]))
    return configs.length + 1 > 1 ? undefined : 'nothing to show'
  },
  lint: (file, folder) => command(folder, 'lint', file),
}

/** The files of a statement: one in each language, or its own. */
export function filesOf({ parts, file }: Pick<Statement, 'parts' | 'file'>): Record<string, string> {
  if (file) return Object.fromEntries([file])
  return { 'snippet.py': asPython(parts ?? {}), 'snippet.yaml': stringify(parts), 'snippet.json': JSON.stringify(parts) }
}

function asPython(parts: Readonly<Record<string, unknown>>): string {
  return Object.entries(parts)
    .map(([name, value]) => (name === 'PromptList' ? `PromptList(${python(value)})` : `${name} = ${python(value)}`))
    .join('\n')
}

function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, entry]) => `${JSON.stringify(key)}: ${python(entry)}`)
      .join(', ')}}`
  if (value === null) return 'None'
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}

/** Findings of `lint` are no failure: it says so with another exit code than a file that it cannot read. */
async function command(folder: string, ...words: string[]): Promise<string | undefined> {
  const { code, stderr } = await rolecall(words, folder)
  if (code === 0 || (words[0] === 'lint' && code !== 2)) return undefined
  throw new Error(stderr)
}

/** Warnings belong to the terminal of a user. */
async function quietly<Result>(action: () => Promise<Result>): Promise<Result> {
  const { write } = process.stderr
  process.stderr.write = () => true
  try {
    return await action()
  } finally {
    process.stderr.write = write
  }
}
