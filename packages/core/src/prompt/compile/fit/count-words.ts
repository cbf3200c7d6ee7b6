/**
 * A rough token count without a tokenizer, as the reference counts for API models: runs of ASCII letters and
 * digits, and each Chinese character (U+4E00 to U+9FFF).
 *
 * @example
 * countWords('你好 world 123') // => 4
 */
export function countWords(text: string): number {
  return text.match(/[A-Za-z0-9]+|[\u4e00-\u9fff]/g)?.length ?? 0
}
