import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack, Chance } from './attack.ts'

/** How much the live memory of a proxy may grow under load, once its caches are full, in bytes. */
const most = 8 * 2 ** 20

/** As many requests as fill the caches: the responses that are kept are a thousand. */
const warmUp = 1500

type Memory = { rss: number; heapUsed: number; external: number }

/** Loads a proxy with chats, streams, responses and aborted requests, and compares its live memory before and after. */
export const proxyMemory: Attack = {
  name: 'proxy memory',
  holds: `after ${warmUp} requests, the live memory of a proxy grows by less than ${most / 2 ** 20} MB, however many follow`,
  isLong: true,
  async run({ chance, goesOn, tried, gotThrough }) {
    const text = 'lorem ipsum '.repeat(50)
    const upstream = await scriptedServer(() => (response) => {
      response.setHeader('content-type', 'application/json')
      const message = { role: 'assistant', content: text }
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 100 } }))
    })
    const jiti = createRequire(import.meta.url)
      .resolve('jiti/package.json')
      .replace('package.json', 'lib/jiti-cli.mjs')
    const child = fork(jiti, [fileURLToPath(new URL('proxy-server.ts', import.meta.url)), upstream.url], { execArgv: [] })
    try {
      const { url } = (await next(child)) as { url: string }
      const load = async (count: number) => {
        for (let sent = 0; sent < count; sent += 20) await Promise.all(Array.from({ length: 20 }, () => send(url, chance)))
      }
      await load(warmUp)
      const before = await memory(child)
      let last = before
      while (goesOn()) {
        await load(500)
        tried()
        last = await memory(child)
      }
      const grown = last.heapUsed + last.external - before.heapUsed - before.external
      const figures = [before, last].map((one) => `${megabytes(one.heapUsed + one.external)} MB live, ${megabytes(one.rss)} MB in all`)
      console.log(figures.join(' → '))
      if (grown > most) gotThrough(`it grew by ${megabytes(grown)} MB: ${figures.join(' → ')}`)
    } finally {
      child.send('end')
      await upstream.close()
    }
  },
}

async function send(url: string, chance: Chance): Promise<void> {
  const messages = [{ role: 'user', content: `${chance.number(2 ** 30)} ${'x'.repeat(2000)}` }]
  const [path, body] = chance.pick([
    ['/v1/chat/completions', { model: 'm', messages }],
    ['/v1/chat/completions', { model: 'm', messages, stream: true }],
    ['/v1/responses', { model: 'm', input: messages }],
    ['/v1/messages', { model: 'm', max_tokens: 50, messages, stream: chance.once(2) }],
    ['/v1/chat/completions', { model: 'unknown', messages }],
  ] as const)
  const leaves = chance.once(5) ? { signal: AbortSignal.timeout(1 + chance.number(20)) } : {}
  try {
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body), ...leaves })
    await response.text()
  } catch (error) {
    // The client has left.
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
  }
}

function memory(child: ChildProcess): Promise<Memory> {
  const answer = next(child) as Promise<Memory>
  child.send('memory')
  return answer
}

function next(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`the proxy ended with ${code}`))
    child.once('exit', fail)
    child.once('message', (answer) => {
      child.off('exit', fail)
      resolve(answer)
    })
  })
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
