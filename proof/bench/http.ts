import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { plain } from '../../packages/rolecall/src/formats.ts'
import type { LanguageModel, Prompt } from '../../packages/rolecall/src/index.ts'
import { loadOpenAI, nodeClient } from '../../packages/rolecall/src/node.ts'
import { sized } from './sizes.ts'

export type HttpMeasurement = {
  requestsPerSecond: number
  /** The bare loop's CPU time per request, divided by ours: 1 means no overhead. */
  bareRatio: number
  millisecondsOfProcessor: number
}

const requests = sized(2000, 16)
const concurrency = 16
const question = `${'Which number is the smallest? A. 160 B. 196 C. 50 D. 128 '.repeat(5)}Answer:`

/** A model on a server that answers immediately, compared with a bare loop over the same HTTP client: CPU time of this process. */
export async function measureHttp(): Promise<[string, HttpMeasurement][]> {
  const server = fork(fileURLToPath(new URL('./http-server.js', import.meta.url)), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  try {
    const [port] = (await once(server, 'message')) as [number]
    const url = `http://127.0.0.1:${port}/v1`
    const { client, close } = nodeClient({ connections: concurrency, environment: {} })
    const model = loadOpenAI({ path: 'm', base_url: url, concurrency })
    const measured: [string, HttpMeasurement][] = []
    for (const stream of [false, true]) {
      const bare = await bareLoop(client, url, stream)
      const ours = ourLoop(model, stream)
      // Interleaved, so that both run under the same load.
      const rounds = Array.from({ length: sized(5, 1) }, () => 0)
      await bare()
      await ours()
      const [bareTimes, ourTimes]: [Round[], Round[]] = [[], []]
      for (const _ of rounds) {
        bareTimes.push(await round(bare))
        ourTimes.push(await round(ours))
      }
      const [bareMiddle, ourMiddle] = [middle(bareTimes.map(({ cpu }) => cpu)), middle(ourTimes.map(({ cpu }) => cpu))]
      measured.push([
        stream ? 'http-generate-streamed' : 'http-generate',
        {
          requestsPerSecond: Math.round(requests / middle(ourTimes.map(({ wall }) => wall))),
          bareRatio: Number((bareMiddle / ourMiddle).toFixed(2)),
          millisecondsOfProcessor: Number(((ourMiddle / requests) * 1000).toFixed(3)),
        },
      ])
    }
    await model.close!()
    await close()
    return measured
  } finally {
    server.kill()
  }
}

type Round = { wall: number; cpu: number }

async function round(work: () => Promise<void>): Promise<Round> {
  const before = process.cpuUsage()
  const start = performance.now()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1_000_000 }
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}

/** Runs the work `requests` times with this concurrency. */
async function often(work: () => Promise<void>): Promise<void> {
  let left = requests
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await work()
    }),
  )
}

/** The minimum work: serialise and parse JSON. */
function bareLoop(client: ReturnType<typeof nodeClient>['client'], url: string, stream: boolean): () => Promise<void> {
  return () =>
    often(async () => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: question }], max_tokens: 8, temperature: 0, stream })
      const headers = { 'content-type': 'application/json' }
      const reply = await client({ url: `${url}/chat/completions`, method: 'POST', headers, body })
      let text = ''
      if (stream) {
        for (const line of (await reply.text()).split('\n')) {
          if (line.startsWith('data: {')) text += (JSON.parse(line.slice(6)) as Streamed).choices[0]!.delta.content ?? ''
        }
      } else text = (JSON.parse(await reply.text()) as Whole).choices[0]!.message.content
      if (text !== answer) throw new Error(`it answered ${text}`)
    })
}

type Whole = { choices: { message: { content: string } }[] }
type Streamed = { choices: { delta: { content?: string } }[] }

const answer = 'The answer is B.'

function ourLoop(model: LanguageModel, stream: boolean): () => Promise<void> {
  const source = { by: 'field', path: 'question' } as const
  // The rows of a run share their stop sequences.
  const stop: Prompt['stop'] = []
  return () =>
    often(async () => {
      const prompt: Prompt = { kind: 'chat', messages: [{ role: 'user', content: [plain(question, source)] }], stop, notes: [] }
      const { text } = await model.generate(prompt, { maxTokens: 8, ...(stream ? { onText: () => undefined } : {}) })
      if (text !== answer) throw new Error(`it answered ${text}`)
    })
}
