import { parseExactReply, type ReplyEvent, ReplyParser, type SyntaxName } from '../../packages/core/src/internal/reply.ts'
import { sized } from './sizes.ts'

export type ParsingMeasurement = {
  /** Millions of characters per second. The texts are ASCII, so these are megabytes. */
  megabytesPerSecond: number
  /** Time per character of a long reply over that of a short one, in chunks of this size; 1 is linear. */
  longOverShort: number
  /** For calls parsed in one chunk: the speed relative to JSON.parse on the calls' JSON alone, which it includes. */
  jsonRatio?: number
}

export type LongArgumentMeasurement = { milliseconds: number }

/** Chunk sizes: one character, typical for models, typical for networks, everything in one chunk. */
const chunkSizes = [1, 4, 64, 4096, Number.POSITIVE_INFINITY]
const [short, long] = [sized(10_000, 1000), sized(1_000_000, 10_000)]

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
  tagged: {
    syntax: 'qwen3-coder',
    make: (length) =>
      `<tool_call>\n<function=write_file>\n<parameter=text>\n${fill(length, 'All work and no play, if x < y.\n')}\n</parameter>\n</function>\n</tool_call>`,
  },
  'keys-and-values': {
    syntax: 'glm',
    make: (length) =>
      `<tool_call>write_file\n<arg_key>text</arg_key>\n<arg_value>${fill(length, 'All work and no play. ')}</arg_value>\n</tool_call>`,
  },
  channels: {
    syntax: 'gpt-oss',
    make: (length) =>
      `<|channel|>analysis<|message|>${fill(length / 2, 'Let me think about it. ')}<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": "${fill(length / 2, 'All work. ')}"}<|call|>`,
  },
  python: {
    syntax: 'lfm2',
    make: (length) => `<|tool_call_start|>[write_file(text='${fill(length, 'All work and no play. ')}')]<|tool_call_end|>`,
  },
  'marked-texts': {
    syntax: 'gemma4',
    make: (length) => `<|tool_call>call:write_file{text:<|"|>${fill(length, 'All work and no play. ')}<|"|>}<tool_call|>`,
  },
  // Replies that consist of short calls: measures the cost per call.
  'many-calls': {
    syntax: 'hermes',
    make: (length) =>
      fill(length, 'Then <tool_call>\n{"name": "get_weather", "arguments": {"city": "Shanghai", "days": 3}}\n</tool_call>\n'),
  },
  'many-named-calls': {
    syntax: 'kimi-k2',
    make: (length) =>
      fill(
        length,
        'Then <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Shanghai", "days": 3}<|tool_call_end|><|tool_calls_section_end|>\n',
      ),
  },
  'many-channels': {
    syntax: 'gpt-oss',
    make: (length) =>
      fill(
        length,
        '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Shanghai", "days": 3}<|call|><|start|>assistant',
      ),
  },
  'many-tagged-calls': {
    syntax: 'qwen3-coder',
    make: (length) =>
      fill(
        length,
        'Then <tool_call>\n<function=get_weather>\n<parameter=city>\nShanghai\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>\n',
      ),
  },
  'many-keys-and-values': {
    syntax: 'glm',
    make: (length) =>
      fill(
        length,
        'Then <tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Shanghai</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>\n',
      ),
  },
  'many-python-calls': {
    syntax: 'lfm2',
    make: (length) => fill(length, "Then <|tool_call_start|>[get_weather(city='Shanghai', days=3)]<|tool_call_end|>\n"),
  },
  'many-marked-texts': {
    syntax: 'gemma4',
    make: (length) => fill(length, 'Then <|tool_call>call:get_weather{city:<|"|>Shanghai<|"|>,days:3}<tool_call|>\n'),
  },
}

/** Parses replies through the push API: millions of characters per second for each chunk size, and whether time is linear. */
export function measureParsing(): [string, ParsingMeasurement][] {
  return Object.entries(replies).flatMap(([name, { syntax, make }]) =>
    chunkSizes.map((size): [string, ParsingMeasurement] => {
      const [brief, whole] = [make(short), make(long)].map((text) => cut(text, size))
      const perBrief = nanosecondsPerCharacter(brief!, syntax, short)
      const perWhole = nanosecondsPerCharacter(whole!, syntax, long)
      const isWhole = size === Number.POSITIVE_INFINITY
      const measurement: ParsingMeasurement = {
        megabytesPerSecond: Math.round(10_000 / perWhole) / 10,
        longOverShort: Number((perWhole / perBrief).toFixed(2)),
      }
      const perJson = isWhole ? nanosecondsOfJson(make(long), syntax) : undefined
      if (perJson !== undefined) measurement.jsonRatio = Number((perJson / perWhole).toFixed(2))
      return [`parse-${name}-${isWhole ? 'whole' : `chunk-${size}`}`, measurement]
    }),
  )
}

function nanosecondsPerCharacter(chunks: readonly string[], syntax: SyntaxName, length: number): number {
  const rounds = Math.max(1, Math.round(sized(1_000_000, 10_000) / length))
  const times: number[] = []
  // The first rounds warm up.
  for (let round = 0; round < sized(9, 3); round++) {
    const start = cpuMilliseconds()
    for (let count = 0; count < rounds; count++) read(chunks, syntax)
    if (round >= 2) times.push((cpuMilliseconds() - start) / rounds)
  }
  return (median(times) * 1e6) / length
}

/** Time of JSON.parse for the JSON in a reply, per character of the reply. */
function nanosecondsOfJson(reply: string, syntax: SyntaxName): number | undefined {
  const jsons = parseExactReply(reply, syntax).calls.flatMap((call) => {
    const whole = reply.slice(...call.at)
    const json = call.kind === 'call' ? whole.slice(whole.indexOf('{'), whole.lastIndexOf('}') + 1) : ''
    // Not every syntax is JSON.
    return json.startsWith('{"') ? [json] : []
  })
  if (jsons.length === 0) return undefined
  const times = Array.from({ length: sized(9, 1) }, () => {
    const start = cpuMilliseconds()
    // Retained, as the parser does: garbage collection is part of the cost.
    if (jsons.map((json): unknown => JSON.parse(json)).length !== jsons.length) throw new Error('not read')
    return cpuMilliseconds() - start
  })
  return (median(times) * 1e6) / reply.length
}

/** The same reply with nested arguments in one chunk, including their values: what an agent does before it runs a tool. */
export function measureValues(): { megabytesPerSecond: number; jsonRatio: number } {
  const { syntax, make } = replies['nested-arguments']!
  const [text] = cut(make(long), Number.POSITIVE_INFINITY)
  const times = Array.from({ length: sized(9, 1) }, () => {
    const start = cpuMilliseconds()
    const [call] = parseExactReply(text!, syntax).calls
    if (call?.kind !== 'call' || call.arguments === undefined) throw new Error('the reply was not read')
    return cpuMilliseconds() - start
  })
  const nanoseconds = (median(times) * 1e6) / text!.length
  return {
    megabytesPerSecond: Math.round(10_000 / nanoseconds) / 10,
    jsonRatio: Number((nanosecondsOfJson(text!, syntax)! / nanoseconds).toFixed(2)),
  }
}

/** An argument of 50 KB in chunks of 4 characters: takes seconds if every chunk parses the JSON from its start. */
export function measureLongArgument(): LongArgumentMeasurement {
  const { syntax, make } = replies.arguments!
  const chunks = cut(make(50_000), 4)
  const times = Array.from({ length: sized(15, 1) }, () => {
    const start = cpuMilliseconds()
    read(chunks, syntax)
    return cpuMilliseconds() - start
  })
  return { milliseconds: Number(median(times).toFixed(2)) }
}

/** CPU time is less affected by other programs than wall-clock time. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

/** Reads everything, like a server that forwards every event. Values of long arguments are parsed on access: `parse-values`. */
function read(chunks: readonly string[], syntax: SyntaxName): void {
  const parser = new ReplyParser(syntax)
  let last: ReplyEvent | undefined
  for (const chunk of chunks) for (const event of parser.push(chunk)) last = event
  for (const event of parser.end()) last = event
  if (last === undefined || parser.reply.parts.length === 0) throw new Error('the reply was not read')
}

function cut(made: string, size: number): string[] {
  // Flat strings, as received from the network, not ropes of the joined parts.
  const text = Buffer.from(made).toString('latin1')
  if (size === Number.POSITIVE_INFINITY) return [text]
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

function fill(length: number, line: string): string {
  return line.repeat(Math.ceil(length / line.length))
}
