/**
 * The tokens of an answer. A prompt that only appends to what was sent and written before is known up to there, so that the rate
 * tells whether a format keeps what it wrote.
 */
export function showUse({ prompt, reused, reply }: { prompt: number; reused: number; reply: number }): string {
  const rate = prompt === 0 ? 0 : Math.floor((reused / prompt) * 100)
  return `prompts: ${count(prompt)}, ${reused.toLocaleString('en-US')} of them still known (${rate} %); replies: ${count(reply)}`
}

function count(tokens: number): string {
  return `${tokens.toLocaleString('en-US')} token${tokens === 1 ? '' : 's'}`
}
