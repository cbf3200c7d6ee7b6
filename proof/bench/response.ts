import { ResponseParser, readResponseTemplate } from '../../packages/core/src/internal/reply.ts'
import { sized } from './sizes.ts'

export type ResponseMeasurement = { megabytesPerSecond: number; longOverShort: number }

const calls = {
  open_pattern: String.raw`\s*<tool_call>\s*`,
  close_pattern: String.raw`</tool_call>\s*`,
  repeats: true,
  content: 'json',
  transform: { type: 'function', function: '{content}' },
}
const hermes = {
  start_anchor: '<|im_start|>assistant\n',
  fields: {
    thinking: { open: '<think>', close_pattern: String.raw`</think>\s*` },
    content: { close_pattern: String.raw`\s*<\|im_end\|>\s*|$` },
    tool_calls: calls,
  },
}
const ahead = {
  start_anchor: 'A',
  fields: { thinking: { open_pattern: String.raw`(?=[\s\S]*?</think>)`, close: '</think>' }, content: {} },
}

const [short, long] = [sized(10_000, 1000), sized(1_000_000, 10_000)]

const replies: Record<string, { template: object; make: (length: number) => string }> = {
  text: { template: hermes, make: (length) => fill(length, 'The weather in Shanghai is fine today, if x < y and y <= z. ') },
  arguments: {
    template: hermes,
    make: (length) => `<tool_call>{"name":"w","arguments":{"t":"${fill(length, 'All work and no play. ')}"}}</tool_call>`,
  },
  calls: {
    template: hermes,
    make: (length) => fill(length, 'Then <tool_call>\n{"name": "get_weather", "arguments": {"city": "Shanghai"}}\n</tool_call>\n'),
  },
  blanks: { template: hermes, make: (length) => ' '.repeat(length) },
  lookahead: { template: ahead, make: (length) => 'a'.repeat(length) },
}

/** Replies read with a response template, whole and by character, in megabytes for a second of processor time. */
export function* measureResponses(): Generator<[name: string, measured: ResponseMeasurement]> {
  for (const [name, { template, make }] of Object.entries(replies)) {
    for (const size of [1, Number.POSITIVE_INFINITY]) {
      const seconds = (length: number) => fastest(template, make(length), size) / length
      const [perShort, perLong] = [seconds(short), seconds(long)]
      const measured = {
        megabytesPerSecond: Number((1 / perLong / 1e6).toFixed(1)),
        longOverShort: Number((perLong / perShort).toFixed(2)),
      }
      yield [`response-${name}-${size === 1 ? 'chunk-1' : 'whole'}`, measured]
    }
  }
}

function fastest(template: object, reply: string, size: number): number {
  const compiled = readResponseTemplate(template)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < (reply.length > short ? 3 : 30); round++) {
    const start = process.cpuUsage()
    const parser = new ResponseParser(compiled, { prefix: '' })
    if (size === Number.POSITIVE_INFINITY) parser.feed(reply)
    else for (let at = 0; at < reply.length; at += size) parser.feed(reply.slice(at, at + size))
    parser.finish()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, Math.max(1, user + system) / 1e6)
  }
  return best
}

function fill(length: number, text: string): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}
