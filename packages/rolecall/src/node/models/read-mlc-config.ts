import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { MlcConfig } from '@rolecall/core/internal/format'
import { parseMlcConfig } from '@rolecall/core/internal/format'
import { dictGet, isDict, isList } from '@rolecall/core/internal/python'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { tokenizerNamed } from '../../model/model-types/index.ts'
import { readWholeText } from '../read-whole-file.ts'

const fileName = 'mlc-chat-config.json'

function fileOf(path: string, folder: string, where: string): string {
  const given = resolve(folder, path)
  const file = existsSync(given) && statSync(given).isDirectory() ? join(given, fileName) : given
  if (existsSync(file)) return file
  throw new PromptError('no-file', {
    where,
    problem: file === given ? `there is no file or folder ${path}` : `the folder ${path} has no ${fileName}`,
    fix: `give the path of a ${fileName} or of the folder it is in`,
  })
}

/** The model settings from an `mlc-chat-config.json` and the tokenizer beside it. */
export type MlcModel = { mlc_config: MlcConfig; tokenizer_path?: string }

/** Reads an `mlc-chat-config.json` for a model; adds its tokenizer unless the model has one. */
export function mlcModelOf(
  path: string,
  folder: string,
  where: string,
  model: Pick<ModelConfig, 'type' | 'tokenizer_path'> = {},
): MlcModel {
  const file = fileOf(path, folder, where)
  const text = readWholeText(file)
  const config = /\.ya?ml$/.test(file) ? (yaml().parse(text) as MlcConfig) : parseMlcConfig(text, path)
  if (model.tokenizer_path !== undefined || tokenizerNamed(model) !== undefined) return { mlc_config: config }
  const tokenizer = tokenizerBeside(config, file, model.type === undefined)
  return { mlc_config: config, ...(tokenizer === undefined ? {} : { tokenizer_path: tokenizer }) }
}

/** Loaded on demand and synchronously, as in `read-format.ts`. */
function yaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml')
}

/** The tokenizer among `tokenizer_files`, or the usual names, beside the config. With `orMissing`, returns a listed file that does not exist, so that loading it reports the error. */
function tokenizerBeside(config: unknown, file: string, orMissing: boolean): string | undefined {
  const listed = isDict(config) ? dictGet(config as never, 'tokenizer_files') : undefined
  const names = (isList(listed) ? listed : usualTokenizers).filter((name): name is string => typeof name === 'string')
  const found = [...names]
    .filter((name) => /\.(?:json|model)$/.test(name))
    .sort((one, other) => usualTokenizers.indexOf(one) - usualTokenizers.indexOf(other))
    .map((name) => join(dirname(file), name))
  const readable = found.filter((path) => usualTokenizers.includes(basename(path)) || path.endsWith('.model'))
  return readable.find((path) => existsSync(path)) ?? (orMissing && isList(listed) ? readable[0] : undefined)
}

/** Most informative first. */
const usualTokenizers: readonly string[] = ['tokenizer.json', 'tokenizer.model']

/** Replaces `mlc_config` paths by the content of their files. */
export function withMlcConfigs<Model extends { mlc_config?: unknown; abbr?: string; type?: string; tokenizer_path?: string }>(
  models: readonly Model[],
  folder: string,
): Model[] {
  return models.map((model, index) =>
    typeof model.mlc_config === 'string'
      ? { ...model, ...mlcModelOf(model.mlc_config, folder, `${model.abbr ?? `models[${index}]`} › mlc_config`, model) }
      : model,
  )
}
