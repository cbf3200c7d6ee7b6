/** The first 64 bits of a key. */
export type KeyWords = readonly [high: number, low: number]

/**
 * A number by the first 64 bits of a key, the latest where a key comes again: 24 bytes each instead of the hundred that a map
 * of strings takes. Who asks compares the whole key.
 */
export class KeyTable {
  /** High word, low word, number + 1 (0: empty). */
  #slots = new Uint32Array(3 * 1024)
  #count = 0

  add([high, low]: KeyWords, value: number): void {
    if (this.#count * 2 > this.#slots.length / 3) this.#grow()
    if (put(this.#slots, high, low, value + 1)) this.#count++
  }

  find([high, low]: KeyWords): number | undefined {
    const value = this.#slots[3 * slotOf(this.#slots, high, low) + 2]!
    return value === 0 ? undefined : value - 1
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    for (let at = 0; at < old.length; at += 3) if (old[at + 2] !== 0) put(this.#slots, old[at]!, old[at + 1]!, old[at + 2]!)
  }
}

/** Where a key is, or would be. */
function slotOf(slots: Uint32Array, high: number, low: number): number {
  const size = slots.length / 3
  let slot = low % size
  while (slots[3 * slot + 2] !== 0 && (slots[3 * slot] !== high || slots[3 * slot + 1] !== low)) slot = (slot + 1) % size
  return slot
}

/** Whether the key was not there yet. */
function put(slots: Uint32Array, high: number, low: number, value: number): boolean {
  const at = 3 * slotOf(slots, high, low)
  const isNew = slots[at + 2] === 0
  slots[at] = high
  slots[at + 1] = low
  slots[at + 2] = value
  return isNew
}

/** The first 64 bits of a key that is written in hexadecimal. */
export function keyWords(key: string): KeyWords {
  return [wordAt(key, 0), wordAt(key, 8)]
}

function wordAt(digits: string, start: number): number {
  let word = 0
  for (let at = start; at < start + 8; at++) {
    const code = digits.charCodeAt(at)
    word = (word << 4) | (code <= 57 ? code - 48 : code - 87)
  }
  return word >>> 0
}
