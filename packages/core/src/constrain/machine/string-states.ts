/**
 * One character inside a JSON string, byte by byte: plain UTF-8, or an escape. State 0 is between two characters. Escapes of surrogates are
 * excluded: characters that would need two are written unescaped.
 */
const states = 14
const none = -1

const [tail1, tail2, tail3, afterE0, afterED, afterF0, afterF4, escaped, hex1, hexD, hex2, hex3, hex4] = Array.from(
  { length: states - 1 },
  (_, index) => index + 1,
) as [number, number, number, number, number, number, number, number, number, number, number, number, number]

const table = new Int8Array(states * 256).fill(none)

function on(state: number, first: number, last: number, to: number): void {
  table.fill(to, state * 256 + first, state * 256 + last + 1)
}

function onHex(state: number, to: number): void {
  on(state, 0x30, 0x39, to)
  on(state, 0x41, 0x46, to)
  on(state, 0x61, 0x66, to)
}

on(0, 0x20, 0x7f, 0)
on(0, 0x22, 0x22, none)
on(0, 0x5c, 0x5c, escaped)
on(0, 0xc2, 0xdf, tail1)
on(0, 0xe0, 0xe0, afterE0)
on(0, 0xe1, 0xef, tail2)
on(0, 0xed, 0xed, afterED)
on(0, 0xf0, 0xf0, afterF0)
on(0, 0xf1, 0xf3, tail3)
on(0, 0xf4, 0xf4, afterF4)
on(tail1, 0x80, 0xbf, 0)
on(tail2, 0x80, 0xbf, tail1)
on(tail3, 0x80, 0xbf, tail2)
on(afterE0, 0xa0, 0xbf, tail1)
on(afterED, 0x80, 0x9f, tail1)
on(afterF0, 0x90, 0xbf, tail2)
on(afterF4, 0x80, 0x8f, tail2)
for (const character of '"\\/bfnrt') on(escaped, character.charCodeAt(0), character.charCodeAt(0), 0)
on(escaped, 0x75, 0x75, hex1)
onHex(hex1, hex2)
on(hex1, 0x44, 0x44, hexD)
on(hex1, 0x64, 0x64, hexD)
on(hexD, 0x30, 0x37, hex3)
onHex(hex2, hex3)
onHex(hex3, hex4)
onHex(hex4, 0)

/** The state after a byte; -1 if the byte is not allowed. */
export function goOnString(state: number, byte: number): number {
  return table[state * 256 + byte]!
}
