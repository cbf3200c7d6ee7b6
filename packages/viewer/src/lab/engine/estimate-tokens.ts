/** Roughly how many tokens a text has, for models whose tokenizer is not here: measured over the bundled tokenizers, not exact for any. */
export function estimateTokens(text: string): number {
  let sum = 0
  let last = 0
  // Markers of formats are one token each.
  for (const found of text.matchAll(/<[|｜\w/][^<>\s]{0,40}>|\[\/?[A-Z_]{3,24}\]/g)) {
    sum += estimatePlain(text.slice(last, found.index)) + 1
    last = found.index + found[0].length
  }
  return sum + estimatePlain(text.slice(last))
}

function estimatePlain(text: string): number {
  if (text === '') return 0
  let sum = 0
  for (const [run] of text.matchAll(/\p{Script=Han}+|[\p{L}\p{M}]+|\p{N}|\s+|[^\s\p{L}\p{N}\p{M}]/gu)) {
    if (/^\p{Script=Han}/u.test(run)) sum += [...run].length * 0.7
    else if (/^[\p{L}\p{M}]/u.test(run)) sum += Math.max(1, run.length / 6)
    else if (/^\s/.test(run)) sum += run === ' ' ? 0 : 0.8
    else sum += 0.9
  }
  return Math.max(1, Math.round(sum))
}
