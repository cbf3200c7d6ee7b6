type Entry = { dtype: string; shape: readonly number[]; data_offsets: readonly [number, number] }

type Arrays = { I8: Int8Array; F32: Float32Array }

/** The tensors of a file of weights. */
export type Tensors = {
  /** A tensor by name, which must have this type and shape. */
  read<Type extends keyof Arrays>(name: string, type: Type, shape: readonly number[]): Arrays[Type]
}

/** Reads a file of weights in the format of https://github.com/huggingface/safetensors: a header in JSON, then the values. */
export function readSafetensors(file: Uint8Array): Tensors {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const length = file.byteLength < 8 ? Number.NaN : Number(view.getBigUint64(0, true))
  const start = 8 + length
  if (!(start <= file.byteLength)) throw damaged('its header is cut off')
  let header: Readonly<Record<string, Entry | undefined>>
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(8, start)))
  } catch {
    throw damaged('its header is not JSON')
  }
  return {
    read<Type extends keyof Arrays>(name: string, type: Type, shape: readonly number[]): Arrays[Type] {
      const entry = Object.hasOwn(header, name) ? header[name] : undefined
      if (entry?.dtype !== type || entry.shape.join() !== shape.join()) throw damaged(`${name} is no ${type} of ${shape.join(' × ')}`)
      const [from, to] = entry.data_offsets.map((offset) => start + offset) as [number, number]
      const size = shape.reduce((product, one) => product * one, type === 'I8' ? 1 : 4)
      if (to - from !== size || to > file.byteLength) throw damaged(`${name} is cut off`)
      // Copied, because four-byte values must be aligned.
      const bytes = file.buffer.slice(file.byteOffset + from, file.byteOffset + to)
      return (type === 'I8' ? new Int8Array(bytes) : new Float32Array(bytes)) as Arrays[Type]
    },
  }
}

function damaged(how: string): Error {
  return new Error(`the file of the embedded model's weights is damaged: ${how}; install rolecall again`)
}
