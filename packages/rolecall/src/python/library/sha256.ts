/** SHA-256 in hexadecimal, like hashlib: browsers have no synchronous implementation. https://csrc.nist.gov/pubs/fips/180-4/upd1/final */
export function sha256(bytes: Uint8Array): string {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) << 6) + 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0)
  const hash = Int32Array.from(initial)
  const words = new Int32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getInt32(block + index * 4)
    for (let index = 16; index < 64; index++) {
      const a = words[index - 15]!
      const b = words[index - 2]!
      const low = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
      const high = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
      words[index] = (words[index - 16]! + low + words[index - 7]! + high) | 0
    }
    compress(hash, words)
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Plain variables, because this is the hot loop. */
function compress(hash: Int32Array, words: Int32Array): void {
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let index = 0; index < 64; index++) {
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[index]! + words[index]!) | 0
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  hash[0] = hash[0]! + a
  hash[1] = hash[1]! + b
  hash[2] = hash[2]! + c
  hash[3] = hash[3]! + d
  hash[4] = hash[4]! + e
  hash[5] = hash[5]! + f
  hash[6] = hash[6]! + g
  hash[7] = hash[7]! + h
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

const primes = [...Array(312).keys()].filter((number) => number > 1 && ![...Array(number).keys()].some((by) => by > 1 && number % by === 0))
/** The first 32 bits of the fractional part. */
const fraction = (value: number) => Math.floor((value - Math.floor(value)) * 2 ** 32)
const constants = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))
const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
