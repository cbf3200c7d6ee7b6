import { splitSpace } from '@rolecall/core/internal/python'
import type { SplitWords } from '../../../../python/word-split/word-tokenize.ts'

/** Punctuation that is not part of a word: ASCII punctuation and the Chinese marks that LongBench removes. */
const punctuation = new Set(
  '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' +
    '！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀            ｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏.',
)

/** The words of a Chinese text in lower case, without punctuation and white space. */
export function chineseWords(text: string, words: SplitWords): string[] {
  return cleanedWords(text, words).filter((word) => word !== '')
}

/** The same, with an empty string for each word that becomes empty. */
export function cleanedWords(text: string, words: SplitWords): string[] {
  return words(text).map((word) => splitSpace([...word.toLowerCase()].filter((character) => !punctuation.has(character)).join('')).join(''))
}
