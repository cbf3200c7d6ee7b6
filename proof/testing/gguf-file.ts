type Value = string | number | boolean | readonly string[] | readonly number[]

/** The bytes of a GGUF file with metadata and no weights. */
export function ggufFile(metadata: Readonly<Record<string, Value>>): Buffer {
  const entries = Object.entries(metadata).map(([key, value]) => Buffer.concat([text(key), entry(value)]))
  return Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0), u64(entries.length), ...entries, Buffer.alloc(64)])
}

/** A value preceded by its type. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
function entry(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([u32(8), text(value)])
  if (typeof value === 'number') return Buffer.concat([u32(4), u32(value)])
  if (typeof value === 'boolean') return Buffer.concat([u32(7), Buffer.from([value ? 1 : 0])])
  const items = value.map((item) => (typeof item === 'string' ? text(item) : u32(item)))
  return Buffer.concat([u32(9), u32(typeof value[0] === 'string' ? 8 : 4), u64(items.length), ...items])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  return Buffer.concat([u32(value), u32(0)])
}
