import { HttpFailure } from '../../model/openai/http/http-client.ts'
import { nodeClient } from '../../node/models/node-client.ts'
import { proxyOf } from '../../node/models/proxy.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether the Hugging Face hub, or its mirror in HF_ENDPOINT, can be reached. */
export type HubState = { address: string; proxy: string | null; state: 'reachable' | 'unreachable' | 'not asked'; detail: string }

const hub = 'https://huggingface.co'

/** Sends one small request to the hub, without any key. */
export async function lookAtHub(environment: Environment, offline: boolean, timeout = 3000): Promise<HubState> {
  const given = environment.HF_ENDPOINT || hub
  if (!URL.canParse(given)) return { address: 'HF_ENDPOINT', proxy: null, state: 'unreachable', detail: 'its value is not an address' }
  const url = new URL(given)
  // Without name, password and parameters, which may be secrets.
  const address = `${url.origin}${url.pathname.replace(/\/$/, '')}`
  const proxy = proxyOf(url, environment)?.shown ?? null
  const stateOf = (state: HubState['state'], detail: string): HubState => ({ address, proxy, state, detail })
  if (offline) return stateOf('not asked', '--offline')
  if (/^(1|true|yes|on)$/i.test(environment.HF_HUB_OFFLINE ?? '')) return stateOf('not asked', 'HF_HUB_OFFLINE is set')
  const { client, close } = nodeClient({ environment })
  const started = performance.now()
  try {
    const signal = AbortSignal.timeout(timeout)
    const reply = await client({ url: `${address}/api/models?limit=1`, method: 'GET', headers: {}, signal, timeout })
    reply.discard()
    const took = `status ${reply.status} in ${Math.round(performance.now() - started)} ms`
    return stateOf(reply.status < 500 ? 'reachable' : 'unreachable', took)
  } catch (error) {
    const isLate = performance.now() - started >= timeout - 100
    return stateOf('unreachable', isLate ? `no answer in ${timeout / 1000} s` : reasonOf(error))
  } finally {
    await close()
  }
}

/** The kind of failure and its code: the message may repeat the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof HttpFailure)) return 'the request failed'
  const code = /\b(?:E[A-Z]{4,}|(?:UND_)?ERR_[A-Z_]+|[A-Z]+_[A-Z_]+)\b/.exec(error.message)?.[0]
  return code === undefined ? error.kind : `${error.kind}, ${code}`
}
