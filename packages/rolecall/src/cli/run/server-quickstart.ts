import type { LoadedConfig } from '../../node/config/load-config.ts'
import { modelsAt } from '../../node/models/models-at.ts'
import { colors } from '../terminal.ts'

/** Token limit for a server's model; the embedded one needs fewer. */
const maxTokens = 256

/**
 * The quickstart for a server given only by its address. It gets messages, which it renders in its own format; perplexity datasets are
 * dropped, since messages cannot be scored.
 */
export async function quickstartForServer(loaded: LoadedConfig, url: string): Promise<LoadedConfig> {
  const [model, ...others] = await modelsAt({ url, where: '--base-url', key: process.env.OPENAI_API_KEY })
  const note = (text: string) => process.stderr.write(`${colors.yellow('note')} ${text}\n`)
  if (others.length > 0)
    note(`using ${model}, the first of ${others.length + 1} models there (to choose another, use --models NAME=NAME@URL with a config)`)
  const isGenerated = (dataset: (typeof loaded.config.datasets)[number]) => generates(dataset)
  const [datasets, left] = [loaded.config.datasets.filter(isGenerated), loaded.config.datasets.filter((one) => !isGenerated(one))]
  if (left.length > 0)
    note(
      `${left.map((dataset) => (dataset as { abbr?: string }).abbr).join(', ')}: skipped, since likelihoods of answers cannot be requested with messages`,
    )
  const served = { abbr: model!, type: 'openai', path: model!, base_url: url, format: 'messages', max_out_len: maxTokens }
  const models = [served] as LoadedConfig['config']['models']
  return { ...loaded, config: { ...loaded.config, models, datasets } }
}

function generates(dataset: object): boolean {
  const { infer_cfg: asking } = dataset as { infer_cfg?: { inferencer?: { type?: unknown } } }
  return !String(asking?.inferencer?.type ?? '').startsWith('PPL')
}
