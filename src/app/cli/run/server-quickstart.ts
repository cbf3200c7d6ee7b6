import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { colors } from '../terminal.ts'

/** Timeout for listing models, in milliseconds. */
const listTimeout = 10_000

/** Token limit for a server's model; the embedded one needs fewer. */
const maxTokens = 256

/**
 * The quickstart for a server given only by its address. It gets messages, which it renders in its own format; perplexity datasets are
 * dropped, since messages cannot be scored.
 */
export async function quickstartForServer(loaded: LoadedConfig, url: string): Promise<LoadedConfig> {
  const [model, ...others] = await modelsAt(url)
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

/** The names of a server's models; at least one. */
async function modelsAt(url: string): Promise<string[]> {
  const key = process.env.OPENAI_API_KEY
  const address = `${url.replace(/\/+$/, '')}/models`
  const failed = (
    problem: string,
    fix = 'start the server and check the address, which usually ends in /v1; or name the model in a config (rolecall init writes one)',
  ) => new PromptError('no-model', { where: '--base-url', problem: `${address} ${problem}`, fix })
  try {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(listTimeout),
      redirect: 'error',
      headers: key ? { authorization: `Bearer ${key}` } : {},
    })
    if (response.status === 401 || response.status === 403)
      throw failed(
        `answers with status ${response.status}`,
        `set OPENAI_API_KEY to ${key ? 'another key: this one is refused' : 'its key'}`,
      )
    if (!response.ok) throw failed(`answers with status ${response.status}`)
    const { data } = (await response.json()) as { data?: unknown }
    const names = Array.isArray(data) ? data.flatMap((one: { id?: unknown } | null) => (typeof one?.id === 'string' ? [one.id] : [])) : []
    if (names.length === 0) throw failed('names no model')
    return names
  } catch (error) {
    if (error instanceof PromptError) throw error
    throw failed('does not answer as a server of models does')
  }
}
