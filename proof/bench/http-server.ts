import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A server that answers chat completions immediately with one sentence, whole or streamed; runs as a separate process.

const usage = { prompt_tokens: 90, completion_tokens: 5, total_tokens: 95 }
const base = { id: 'chatcmpl-1', created: 1_760_000_000, model: 'm' }
const message = { role: 'assistant', content: 'The answer is B.' }
const whole = JSON.stringify({ ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
const events = ['The', ' answer', ' is', ' B', '.']
  .map((content, index) => ({ index: 0, delta: { content }, finish_reason: index === 4 ? 'stop' : null }))
  .map((choice) => `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
  .join('')
const streamed = `${events}data: [DONE]\n\n`

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    const isStream = body.includes('"stream":true')
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? streamed : whole)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
