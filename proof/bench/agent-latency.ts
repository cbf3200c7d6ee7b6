import { scriptedServer } from '../testing/scripted-server.ts'
import { sized } from './sizes.ts'

export type LatencyMeasurement = {
  /** The size of the request. */
  kilobytes: number
  /** From the request of the client to that of the server upstream, in milliseconds: the median. */
  milliseconds: number
  /** Against a server that rewrites nothing: what `roles: auto` and what it reports cost. */
  strictRatio: number
  /** The first of its kind after the start of the server. */
  firstMilliseconds: number
  firstStrictRatio: number
}

/** Writes all that agents send to a model, so that both servers write the same prompt. */
const template = `{% for tool in tools or [] %}[{{ tool | tojson }}]
{% endfor %}{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.reasoning_content or '' }}{{ message.content or '' }}{% for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

const rounds = sized(60, 2)

/** Requests of agents of 3 to 80 kB through the server, until the upstream server has them. */
export async function measureAgentLatency(): Promise<LatencyMeasurement[]> {
  const measured: LatencyMeasurement[] = []
  for (const kilobytes of [3, 20, 80]) {
    const body = JSON.stringify(agentRequest(kilobytes * 1024))
    const auto = await serverOf('auto')
    const strict = await serverOf('strict')
    // A client is started after its server.
    await new Promise((resolve) => setTimeout(resolve, sized(3000, 10)))
    const firstMilliseconds = await auto.ask(body)
    const firstStrict = await strict.ask(body)
    const times: Record<'auto' | 'strict', number[]> = { auto: [], strict: [] }
    for (let round = 0; round < rounds; round++) {
      // In turns, so that other programs on the machine slow both.
      times.auto.push(await auto.ask(body))
      times.strict.push(await strict.ask(body))
    }
    const milliseconds = median(times.auto)
    measured.push({
      kilobytes,
      milliseconds,
      strictRatio: milliseconds / median(times.strict),
      firstMilliseconds,
      firstStrictRatio: firstMilliseconds / firstStrict,
    })
    await auto.close()
    await strict.close()
  }
  return measured
}

type Served = { ask: (body: string) => Promise<number>; close: () => Promise<void> }

/** A server before an upstream that notes when it is asked, and the time that a request takes until then. */
async function serverOf(roles: 'auto' | 'strict'): Promise<Served> {
  let asked = 0
  const upstream = await scriptedServer(() => {
    asked = performance.now()
    return {
      json: { id: 'c', object: 'text_completion', created: 0, model: 'm', choices: [{ index: 0, text: 'ok', finish_reason: 'stop' }] },
    }
  })
  // The built server: templates are rendered in threads, which the compiled benches do not have.
  const { serve } = (await import(
    new URL('../../../packages/rolecall/dist/js/serve.js', import.meta.url).href
  )) as typeof import('../../packages/rolecall/src/serve.ts')
  const server = await serve({
    models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: upstream.url, chat_template: template, roles }],
    log: () => {},
  })
  return {
    async ask(body) {
      const start = performance.now()
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(text)
      return asked - start
    },
    async close() {
      await server.close()
      await upstream.close()
    },
  }
}

/** A session with tools, as long as it has to be. */
function agentRequest(bytes: number): object {
  const parameters = { type: 'object', properties: { path: { type: 'string', description: 'The file.' } }, required: ['path'] }
  const tools = ['read', 'write', 'list'].map((name) => ({
    type: 'function',
    function: { name, description: `To ${name} files.`, parameters },
  }))
  const messages: object[] = [
    { role: 'system', content: 'You are an agent. '.repeat(20) },
    { role: 'user', content: 'Look at all files.' },
  ]
  for (let size = 1500, turn = 0; size < bytes; size += 700, turn++) {
    const id = `call_${turn}`
    const call = { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: `src/file-${turn}.ts` }) } }
    messages.push(
      { role: 'assistant', content: `File ${turn} is next.`, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: `export const value${turn} = ${turn}\n`.repeat(12) },
    )
  }
  return { model: 'm', messages, tools }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
