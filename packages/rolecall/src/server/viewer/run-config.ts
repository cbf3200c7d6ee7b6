import { withoutMarks } from '@rolecall/core/internal/errors'

import { registerOpenCompassDatasets } from '../../compat/opencompass/register-datasets.ts'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { inFormat } from '../../evaluation/config/in-format.ts'
import { distinctModels, type ModelName, modelText } from '../../evaluation/run/record/pair-name.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'

import { damagedFile, fileInRun, jsonInRun } from '../../node/runs/file-in-run.ts'
import { remedies, runFiles } from '../../node/runs/run-layout.ts'
import type { RunReader } from '../../node/runs/run-reader.ts'

/** The config that a run recorded, with a model for each of its formats. */
export function readRunConfig({ folder, info }: RunReader): LoadedConfig {
  const file = fileInRun(folder, runFiles.config)
  const written = jsonInRun(folder, runFiles.config, remedies.config)
  if (written === undefined) throw damagedFile(folder, runFiles.config, remedies.config)
  registerOpenCompassDatasets()
  const config = checkConfig(withoutFunctions(withoutMarks(written)), `${file} › `, { foreignKeys: true })
  const models = config.models as readonly ModelConfig[]
  const inRun = distinctModels(info.pairs).map((name) => modelNamed(models, name))
  return { file, folder: info.folder, config: { ...config, models: inRun as never } }
}

/** Runs record only the names of a TypeScript config's functions; prompts do not need them. */
function withoutFunctions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFunctions)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, one]) => !(typeof one === 'object' && one !== null && '$function' in one))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutFunctions(one)]))
}

/** A model in the format of the run; only its name if the config no longer has it. */
function modelNamed(models: readonly ModelConfig[], name: ModelName): ModelConfig {
  const found = models.filter(({ abbr }, index) => (abbr ?? `model-${index}`) === name.model).slice(0, 1)
  const { format } = name
  const [model] = format === undefined || found.length === 0 ? found : inFormat(found, { name: format, model: { format } })
  return { ...model, abbr: modelText(name) }
}
