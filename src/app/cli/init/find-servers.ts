/** A model that a server on this machine offers. */
export type FoundModel = { server: string; url: string; model: string }

/** Where servers of models listen unless they are told otherwise. */
const usual: readonly [server: string, port: number][] = [
  ['vLLM', 8000],
  ['llama.cpp', 8080],
  ['Ollama', 11434],
  ['LM Studio', 1234],
  ['SGLang', 30000],
  ['LMDeploy', 23333],
]

/** Asks the usual ports of this machine for models; a server that does not answer at once is none. */
export async function findServers(ports = usual, timeout = 400): Promise<FoundModel[]> {
  const found = await Promise.all(
    ports.map(async ([server, port]): Promise<FoundModel[]> => {
      const url = `http://127.0.0.1:${port}/v1`
      try {
        const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(timeout), redirect: 'error' })
        if (!response.ok) return []
        const { data } = (await response.json()) as { data?: unknown }
        const ids = Array.isArray(data) ? data.map((one: { id?: unknown } | null) => one?.id) : []
        return ids.flatMap((model) => (typeof model === 'string' ? [{ server, url, model }] : []))
      } catch {
        return []
      }
    }),
  )
  return found.flat()
}
