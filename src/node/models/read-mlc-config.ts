import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { MlcConfig } from '../../config/mlc-schema.ts'
import { parseMlcConfig } from '../../format/mlc/parse-config.ts'
import { PromptError } from '../../prompt-error.ts'

const fileName = 'mlc-chat-config.json'

/** Reads a `mlc-chat-config.json`, given itself or by its folder. */
export function readMlcConfigFile(path: string, folder: string, where: string): MlcConfig {
  const given = resolve(folder, path)
  const file = existsSync(given) && statSync(given).isDirectory() ? join(given, fileName) : given
  if (!existsSync(file)) {
    throw new PromptError('no-file', {
      where,
      problem: file === given ? `there is no file or folder ${path}` : `the folder ${path} has no ${fileName}`,
      fix: `give the path of a ${fileName} or of the folder it is in`,
    })
  }
  return parseMlcConfig(readFileSync(file, 'utf8'), path)
}

/** Models whose `mlc_config` is a path get what stands in that file. */
export function withMlcConfigs<Model extends { mlc_config?: unknown; abbr?: string }>(models: readonly Model[], folder: string): Model[] {
  return models.map((model, index) =>
    typeof model.mlc_config === 'string'
      ? { ...model, mlc_config: readMlcConfigFile(model.mlc_config, folder, `${model.abbr ?? `models[${index}]`} › mlc_config`) }
      : model,
  )
}
