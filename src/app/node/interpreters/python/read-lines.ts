import type { Readable } from 'node:stream'

/** Reads a stream line by line; lines longer than `limit` bytes are dropped without buffering them. */
export function readLines(stream: Readable, limit: number, take: (line: string) => void): void {
  let held: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...held, rest.subarray(0, end)])
      const isWhole = length + end <= limit
      held = []
      length = 0
      rest = rest.subarray(end + 1)
      if (isWhole && line.length > 0) take(line.toString('latin1'))
    }
    length += rest.length
    if (length <= limit) held.push(rest)
    else held = []
  })
}
