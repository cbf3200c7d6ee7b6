import { PromptError } from '@rolecall/core/internal/errors'
import { splitAddress } from '../../model/openai/http/split-address.ts'

/** Timeout for listing models, in milliseconds. */
const listTimeout = 10_000

/** A server, how it is asked, and where the config names it. */
export type ListedServer = {
  url: string
  where: string
  key?: string | undefined
  keyName?: string
  headers?: Readonly<Record<string, string>>
}

/** The names of a server's models; at least one. */
export async function modelsAt({ url, where, key, keyName = 'OPENAI_API_KEY', headers = {} }: ListedServer): Promise<string[]> {
  const { baseUrl, query } = splitAddress(url)
  const address = `${baseUrl}/models`
  const failed = (
    problem: string,
    fix = 'start the server and check the address, which usually ends in /v1; or name the model in a config (rolecall init writes one)',
  ) => new PromptError('no-model', { where, problem: `${address} ${problem}`, fix })
  try {
    const response = await fetch(`${address}${query}`, {
      signal: AbortSignal.timeout(listTimeout),
      redirect: 'error',
      headers: { ...headers, ...(key ? { authorization: `Bearer ${key}` } : {}) },
    })
    if (response.status === 401 || response.status === 403)
      throw failed(`answers with status ${response.status}`, `set ${keyName} to ${key ? 'another key: this one is refused' : 'its key'}`)
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
