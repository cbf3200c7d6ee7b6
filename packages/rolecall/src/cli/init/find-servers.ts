/** A model of a local server. */
export type FoundModel = { server: string; url: string; model: string }

/** Default ports of model servers. */
const defaultPorts: readonly [server: string, port: number][] = [
  ['vLLM', 8000],
  ['llama.cpp', 8080],
  ['Ollama', 11434],
  ['LM Studio', 1234],
  ['SGLang', 30000],
  ['LMDeploy', 23333],
]

/** Queries the default ports on this machine for models; servers that do not respond in time are skipped. */
export async function findServers(ports = defaultPorts, timeout = 400): Promise<FoundModel[]> {
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
