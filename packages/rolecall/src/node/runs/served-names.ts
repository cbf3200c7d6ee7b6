import type { Note } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { modelTypeOf } from '../../model/model-types/index.ts'
import { openaiApi } from '../../model/openai/openai-api.ts'
import type { OpenAIConfig } from '../../model/openai/openai-fields.ts'
import { readSettings } from '../../model/openai/openai-settings.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { modelsAt } from '../models/models-at.ts'

/**
 * Asks servers for the names of selected models that have none in the config, as AISBench does, and takes the first. This comes before
 * everything else: the name is part of every cache key.
 */
export async function withServedNames(
  loaded: LoadedConfig,
  selected: string | undefined,
): Promise<{ loaded: LoadedConfig; notes: Note[] }> {
  const given = loaded.config.models as ModelConfig[]
  const nameless = given.filter((model) => modelTypeOf(model)?.name === 'openai' && !model.path && model.base_url)
  if (nameless.length === 0) return { loaded, notes: [] }
  const chosen = new Set(selectByName(given, selected, '--models'))
  const notes: Note[] = []
  const models: ModelConfig[] = []
  for (const model of given) models.push(nameless.includes(model) && chosen.has(model) ? await withServedName(model, notes) : model)
  return { loaded: { ...loaded, config: { ...loaded.config, models: models as LoadedConfig['config']['models'] } }, notes }
}

async function withServedName(model: ModelConfig, notes: Note[]): Promise<ModelConfig> {
  const {
    name,
    baseUrl: url,
    query,
    key,
    keyName,
    headers,
  } = readSettings({ ...model, path: 'unnamed' } as OpenAIConfig, process.env, openaiApi)
  const where = `${model.abbr ?? name} › path`
  const [path, ...others] = await modelsAt({ url: `${url}${query}`, where, key, keyName, headers })
  const which = others.length === 0 ? 'the only model' : `the first of ${others.length + 1} models`
  notes.push({ code: 'served-name', where, text: `the config has no name for the model: using ${path}, ${which} at ${url}` })
  return { ...model, path: path! }
}
