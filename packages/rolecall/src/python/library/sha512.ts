/**
 * SHA-512, by which Python's `random` seeds itself from a text; browsers have no synchronous implementation.
 * https://csrc.nist.gov/pubs/fips/180-4/upd1/final
 */
export function sha512(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((bytes.length + 16) >> 7) << 7) + 128)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  const hash = BigUint64Array.from(initial)
  const words = new BigUint64Array(80)
  for (let block = 0; block < padded.length; block += 128) {
    for (let index = 0; index < 16; index++) words[index] = view.getBigUint64(block + index * 8)
    for (let index = 16; index < 80; index++) {
      const [early, late] = [words[index - 15]!, words[index - 2]!]
      const low = rotate(early, 1n) ^ rotate(early, 8n) ^ (early >> 7n)
      const high = rotate(late, 19n) ^ rotate(late, 61n) ^ (late >> 6n)
      words[index] = words[index - 16]! + low + words[index - 7]! + high
    }
    compress(hash, words)
  }
  const result = new DataView(new ArrayBuffer(64))
  for (const [index, word] of hash.entries()) result.setBigUint64(index * 8, word)
  return new Uint8Array(result.buffer)
}

function compress(hash: BigUint64Array, words: BigUint64Array): void {
  let [a, b, c, d, e, f, g, h] = [...hash] as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint]
  for (let round = 0; round < 80; round++) {
    const chosen = (e & f) ^ (~e & g)
    const first = h + (rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n)) + chosen + constants[round]! + words[round]!
    const second = (rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, wrapped(d + first), c, b, a, wrapped(first + second)]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) hash[index] = hash[index]! + value
}

function wrapped(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}

function rotate(word: bigint, by: bigint): bigint {
  return (word >> by) | wrapped(word << (64n - by))
}

/** The first 64 bits after the point of a prime's square or cube root. */
function fractionOfRoot(prime: number, degree: 2n | 3n): bigint {
  const power = BigInt(prime) << (64n * degree)
  let low = 0n
  let high = 1n << 72n
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle ** degree <= power) low = middle
    else high = middle - 1n
  }
  return wrapped(low)
}

const primes = Array.from({ length: 408 }, (_, index) => index + 2).filter((one) => {
  for (let divisor = 2; divisor * divisor <= one; divisor++) if (one % divisor === 0) return false
  return true
})
const initial = primes.slice(0, 8).map((prime) => fractionOfRoot(prime, 2n))
const constants = primes.slice(0, 80).map((prime) => fractionOfRoot(prime, 3n))
