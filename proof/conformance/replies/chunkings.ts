/** One character at a time, and two random chunkings, seeded by the vector's id so that failures are reproducible. */
export function chunkings(text: string, id: string): string[][] {
  const random = randomFrom(id)
  return [[...text], cut(text, () => 1 + Math.floor(random() * 6)), cut(text, () => 1 + Math.floor(random() * 40))]
}

function cut(text: string, length: () => number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + length()
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

function randomFrom(seed: string): () => number {
  let state = 2166136261
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 16777619)
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
