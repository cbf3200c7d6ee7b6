import { type ReplyEvent, ReplyParser, type SyntaxName } from '../src/index.ts'

export type ParsingMeasurement = {
  /** Characters per second, in millions. The texts are ASCII, so that these are megabytes. */
  megabytesPerSecond: number
  /** Time per character of a long reply over that of a short one, in chunks of this size; 1 is linear. */
  longOverShort: number
}

/** Chunk sizes: one character, what models stream, what networks deliver, everything at once. */
const chunkSizes = [1, 4, 64, 4096, Number.POSITIVE_INFINITY]
const [short, long] = [10_000, 1_000_000]

const replies: Record<string, { syntax: SyntaxName; make: (length: number) => string }> = {
  text: { syntax: 'internlm2', make: (length) => fill(length, 'The weather in Shanghai is fine today, if x < y and y <= z. ') },
  arguments: {
    syntax: 'internlm2',
    make: (length) =>
      `Sure.<|action_start|><|plugin|>\n{"name": "write_file", "parameters": {"path": "a.txt", "text": "${fill(length, 'All work and no play\\nmakes \\"Jack\\" a dull boy. ')}"}}<|action_end|>`,
  },
  'nested-arguments': {
    syntax: 'hermes',
    make: (length) =>
      `<tool_call>\n{"name": "plot", "arguments": {"rows": [${fill(length, '{"x": 1.5, "y": [1, 2, 3], "label": "point"}, ')}{}]}}\n</tool_call>`,
  },
  code: {
    syntax: 'internlm2',
    make: (length) =>
      `<|action_start|><|interpreter|>\n\`\`\`python\n${fill(length, 'for row in rows:\n    print(row["x"] < 3, `row`)\n')}\`\`\`<|action_end|>`,
  },
  'many-calls': {
    syntax: 'hermes',
    make: (length) =>
      fill(length, 'Then <tool_call>\n{"name": "get_weather", "arguments": {"city": "Shanghai", "days": 3}}\n</tool_call>\n'),
  },
}

/** Reading replies through the push API: millions of characters per second at each chunk size, and whether it stays linear. */
export function measureParsing(): [string, ParsingMeasurement][] {
  return Object.entries(replies).flatMap(([name, { syntax, make }]) =>
    chunkSizes.map((size): [string, ParsingMeasurement] => {
      const [brief, whole] = [make(short), make(long)].map((text) => cut(text, size))
      const perBrief = nanosecondsPerCharacter(brief!, syntax, short)
      const perWhole = nanosecondsPerCharacter(whole!, syntax, long)
      const chunk = size === Number.POSITIVE_INFINITY ? 'whole' : `chunk-${size}`
      return [
        `parse-${name}-${chunk}`,
        { megabytesPerSecond: Math.round(10_000 / perWhole) / 10, longOverShort: Number((perWhole / perBrief).toFixed(2)) },
      ]
    }),
  )
}

function nanosecondsPerCharacter(chunks: readonly string[], syntax: SyntaxName, length: number): number {
  const rounds = Math.max(1, Math.round(1_000_000 / length))
  const times: number[] = []
  // The first rounds warm up.
  for (let round = 0; round < 9; round++) {
    const start = performance.now()
    for (let count = 0; count < rounds; count++) read(chunks, syntax)
    if (round >= 2) times.push((performance.now() - start) / rounds)
  }
  return (times.sort((a, b) => a - b)[times.length >> 1]! * 1e6) / length
}

/** Reads all of it, its arguments included, as a server does that hands every event on. */
function read(chunks: readonly string[], syntax: SyntaxName): void {
  const parser = new ReplyParser(syntax)
  let last: ReplyEvent | undefined
  for (const chunk of chunks) for (const event of parser.push(chunk)) last = event
  for (const event of parser.end()) last = event
  if (last === undefined || parser.reply.parts.length === 0) throw new Error('the reply was not read')
}

function cut(text: string, size: number): string[] {
  if (size === Number.POSITIVE_INFINITY) return [text]
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

function fill(length: number, line: string): string {
  return line.repeat(Math.ceil(length / line.length))
}
