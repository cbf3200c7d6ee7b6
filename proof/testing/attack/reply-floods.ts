import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { loadOpenAI } from '../../../packages/rolecall/src/node/models/load-openai.ts'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack, Chance } from './attack.ts'

/** Servers with endless or mislabelled replies: they must be aborted within little time and memory. */
export const replyFloods: Attack = {
  name: 'reply floods',
  holds: 'a reply is read or given up, within 200 MB and its time',
  async run({ chance, goesOn, tried, gotThrough }) {
    let play: (response: ServerResponse) => void = () => undefined
    let description = ''
    const server = await scriptedServer(() => (response) => play(response))
    try {
      while (goesOn()) {
        const flood = floodBy(chance)
        play = flood.play
        description = flood.description
        const before = process.memoryUsage().rss
        const model = loadOpenAI({
          abbr: 'm',
          type: 'openai',
          path: 'm',
          base_url: server.url,
          retries: 0,
          timeout: 1,
          endpoint: chance.pick(['chat', 'completions']),
        })
        const prompt = { kind: 'chat' as const, messages: [{ role: 'user', content: [] }], stop: [], notes: [] }
        const asked = model.generate(prompt as never, { maxTokens: 4 }).then(
          () => 'read',
          () => 'given up',
        )
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<string>((resolve) => {
          timer = setTimeout(() => resolve('late'), patience)
        })
        if ((await Promise.race([asked, late])) === 'late') gotThrough(`after ${patience} ms still reading ${description}`)
        clearTimeout(timer)
        await model.close?.()
        tried()
        const grown = process.memoryUsage().rss - before
        if (grown > 200 * 2 ** 20) gotThrough(`${Math.round(grown / 2 ** 20)} MB more for ${description}`)
      }
    } finally {
      await server.close()
    }
  },
}

/** Far more than the timeout of a second for each of four tokens, on any machine. */
const patience = 60_000

function floodBy(chance: Chance): { play: (response: ServerResponse) => void; description: string } {
  const type = chance.pick(['application/json', 'text/event-stream', 'text/html', 'application/octet-stream'])
  const begin = chance.pick([
    '',
    '{"choices":[{"message":{"content":"',
    'data: ',
    'data: {"choices":[{"delta":{"content":"',
    '[',
    '\ufeff',
    ': comment\n',
  ])
  const part = chance.pick([
    'x',
    ' ',
    '\n',
    '\n\n',
    '[',
    '{"a":',
    '\u0000',
    `data: {"choices":[{"delta":{"content":"${'x'.repeat(500)}"}}]}\n\n`,
    'data: [DONE]\n',
    'é',
    '\ud800',
  ])
  const isPacked = chance.once(4)
  const size = chance.pick([1, 1000, 65_536])
  const headers = { 'content-type': type, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) }
  const play = (response: ServerResponse) => {
    response.writeHead(200, headers)
    if (isPacked) {
      response.end(gzipSync(begin + part.repeat(Math.ceil((32 << 20) / part.length))))
      return
    }
    response.write(begin)
    const block = part.repeat(size)
    const go = () => {
      while (!response.destroyed && response.write(block)) {}
      if (!response.destroyed) response.once('drain', go)
    }
    go()
  }
  return { play, description: JSON.stringify({ headers, begin, part, size }) }
}
