import { splitSpace, strip } from '../../python/index.ts'

/** The tokenisers of sacrebleu that need no model. */
export type BleuTokenizer = '13a' | 'zh' | 'char' | 'none'

/** A line in words separated by single spaces, as sacrebleu's tokeniser of this name gives it. */
export function bleuTokenize(line: string, tokenizer: BleuTokenizer): string {
  switch (tokenizer) {
    case '13a':
      return punctuationApart(` ${unescapeEntities(line.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' '))} `)
    case 'zh':
      return punctuationApart([...strip(line)].map((character) => (isChinese(character) ? ` ${character} ` : character)).join(''))
    case 'char':
      return [...line].join(' ')
    case 'none':
      return line
    default:
      return tokenizer satisfies never
  }
}

function unescapeEntities(line: string): string {
  return line.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
}

function punctuationApart(line: string): string {
  const apart = line
    .replace(/[{-~[-` -&(-+:-@/]/gu, ' $& ')
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])(-)/gu, '$1 $2 ')
  return splitSpace(apart).join(' ')
}

/** sacrebleu's ranges. Two of them are meant for planes beyond the first and, as it writes them, begin at U+2000 and U+2F80. */
const chinese = [
  ...[0x3400, 0x4db5, 0x4e00, 0x9fbb, 0xf900, 0xfa2d, 0xfa30, 0xfa6a, 0xfa70, 0xfad9, 0xff00, 0xffef, 0x2e80, 0x2eff],
  ...[0x3000, 0x303f, 0x31c0, 0x31ef, 0x2f00, 0x2fdf, 0x2ff0, 0x2fff, 0x3100, 0x312f, 0x31a0, 0x31bf, 0xfe10, 0xfe1f],
  ...[0xfe30, 0xfe4f, 0x2600, 0x26ff, 0x2700, 0x27bf, 0x3200, 0x33ff],
]

function isChinese(character: string): boolean {
  const code = character.codePointAt(0)!
  for (let index = 0; index < chinese.length; index += 2) if (code >= chinese[index]! && code <= chinese[index + 1]!) return true
  return (code >= 0x2000 && code <= 0x2a6d) || (code >= 0x2f80 && code <= 0x2fa1)
}
