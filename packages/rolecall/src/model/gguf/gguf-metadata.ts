/** A value of a GGUF file's metadata. */
export type GgufValue = string | number | bigint | boolean | readonly GgufValue[]

/** The header of a GGUF file: the model's shape, its vocabulary, its chat template. */
export type GgufMetadata = ReadonlyMap<string, GgufValue>

/** A list of strings; undefined if the key is missing or has another type. */
export function stringsOf(metadata: GgufMetadata, key: string): readonly string[] | undefined {
  const value = metadata.get(key)
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? (value as readonly string[]) : undefined
}

/** A list of numbers, likewise. */
export function numbersOf(metadata: GgufMetadata, key: string): readonly number[] | undefined {
  const value = metadata.get(key)
  return Array.isArray(value) && value.every((one) => typeof one === 'number') ? (value as readonly number[]) : undefined
}

/** An integer, possibly of 64 bits. */
export function numberOf(metadata: GgufMetadata, key: string): number | undefined {
  const value = metadata.get(key)
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

export function textOf(metadata: GgufMetadata, key: string): string | undefined {
  const value = metadata.get(key)
  return typeof value === 'string' ? value : undefined
}

export function flagOf(metadata: GgufMetadata, key: string): boolean | undefined {
  const value = metadata.get(key)
  return typeof value === 'boolean' ? value : undefined
}
