import { createRequire } from 'node:module'
import type { SplitWords } from '../../base/python/word-split/split-words.ts'
import { findPeer } from './find-peer.ts'

type Jieba = { cut(text: string, hmm?: boolean): string[] }

/** jieba's words, where its package is found; its dictionary is read when the first text is split. */
export function jiebaWords(find = findPeer): SplitWords | undefined {
  const file = find('jieba-wasm')
  if (file === undefined) return undefined
  let jieba: Jieba | undefined
  return (text) => {
    jieba ??= createRequire(import.meta.url)(file) as Jieba
    // With the model for words that the dictionary lacks, as Python's jieba by default.
    return jieba.cut(text, true)
  }
}

/** What scoring may need of what users install themselves, for `planRun`, `postprocessorOf` and `evaluatorOf`. */
export function scoringPeers(find = findPeer): { words?: SplitWords } {
  const words = jiebaWords(find)
  return words ? { words } : {}
}
