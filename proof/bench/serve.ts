import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Pool } from 'undici'
import { createApp } from '../../packages/rolecall/src/server/create-app.ts'
import { listen } from '../../packages/rolecall/src/server/listen.ts'
import { openModel } from './embedded.ts'
import { sized } from './sizes.ts'

export type ServeMeasurement = {
  requests: number
  /** Requests with a wrong answer. */
  lost: number
  perSecond: number
  milliseconds: { median: number; slowest: number }
  /** Memory growth between the first fifth of the requests and the end, after garbage collection, in megabytes. */
  grownMegabytes: number
}

const inFlight = sized(50, 5)
const requests = sized(500, 10)

/** The server under load on loopback with the embedded model: chats, streams and scored prompts, 500 with 50 in flight. */
export async function measureServing(): Promise<ServeMeasurement> {
  const model = await openModel()
  const failures: string[] = []
  const app = createApp({ models: [{ model, config: { type: 'embedded', format: 'internlm2' } }], log: (text) => failures.push(text) })
  const server = await listen(app)
  const pool = new Pool(server.url, { connections: inFlight })
  const times: number[] = []
  let lost = 0
  let next = 0
  let begun = 0
  const worker = async () => {
    while (next < requests) {
      const number = next++
      if (number === requests / 5) begun = held()
      const start = performance.now()
      const isRight = await ask(pool, number).catch((error: unknown) => void failures.push(String(error)))
      if (!isRight) lost++
      times.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  const grown = held() - begun
  await server.close()
  for (const failure of failures) process.stderr.write(`${failure}\n`)
  times.sort((a, b) => a - b)
  return {
    requests,
    lost,
    perSecond: Math.round(requests / seconds),
    milliseconds: { median: Math.round(times[requests >> 1]!), slowest: Math.round(times.at(-1)!) },
    grownMegabytes: Math.round(grown / 1e5) / 10,
  }
}

async function ask(pool: Pool, number: number): Promise<boolean> {
  const [a, b] = [10 + (number % 80), 10 + ((number * 7) % 80)]
  const messages = [{ role: 'user', content: `${a} + ${b} = ?` }]
  const right = String(a + b)
  if (number % 5 === 4) {
    const prompt = `<s><|im_start|>user\n${a} + ${b} = ?<|im_end|>\n<|im_start|>assistant\n${right}`
    const body = JSON.parse(await post(pool, '/v1/completions', { prompt, echo: true, logprobs: 0, max_tokens: 0 })) as {
      choices: { logprobs: { token_logprobs: (number | null)[] } }[]
    }
    return body.choices[0]!.logprobs.token_logprobs.slice(-right.length).every((value) => value !== null && value > -5)
  }
  const stream = number % 5 > 1
  const text = await post(pool, '/v1/chat/completions', { messages, max_tokens: 4, temperature: 0, stream })
  if (!stream) return (JSON.parse(text) as { choices: { message: { content: string } }[] }).choices[0]!.message.content === right
  const events = text.split('\n\n').filter((event) => event !== '')
  const contents = events.slice(0, -1).map((event) => {
    const { choices } = JSON.parse(event.slice('data: '.length)) as { choices: { delta: { content?: string } }[] }
    return choices[0]?.delta.content ?? ''
  })
  return events.at(-1) === 'data: [DONE]' && contents.join('') === right
}

async function post(pool: Pool, path: string, body: object): Promise<string> {
  const { body: answer } = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.text()
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
