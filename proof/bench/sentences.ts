const syllables = 'an be con de er for gra ha in ke lo mi no or pre qua re sta ter un ver wi xo yo zu'.split(' ')

/** Words that rarely repeat, as in real sentences. */
export function sentence(seed: number, words: number): string {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  const next = (limit: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
  const word = () => Array.from({ length: 1 + next(4) }, () => syllables[next(syllables.length)]).join('')
  return Array.from({ length: words }, word).join(' ')
}

/** A chat with this many messages, alternating between user and model. */
export function talk(seed: number, turns: number): { role: string; content: string }[] {
  return Array.from({ length: turns }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: sentence(seed * 1000 + index, 20),
  }))
}
