import { createRequire } from 'node:module'
import type { SplitWords } from '../python/word-split/word-tokenize.ts'
import { findPeer } from './find-peer.ts'

type Jieba = { cut(text: string, hmm?: boolean): string[] }

/** Word splitting by jieba, if its package is installed; its dictionary is loaded on first use. */
export function jiebaWords(find = findPeer): SplitWords | undefined {
  const file = find('jieba-wasm')
  if (file === undefined) return undefined
  let jieba: Jieba | undefined
  return (text) => {
    jieba ??= createRequire(import.meta.url)(file) as Jieba
    // With the HMM for unknown words, as in Python's jieba by default.
    return jieba.cut(text, true)
  }
}

/** Optional packages that scoring can use, for `planRun`, `postprocessorOf` and `evaluatorOf`. */
export function scoringPeers(find = findPeer): { words?: SplitWords } {
  const words = jiebaWords(find)
  return words ? { words } : {}
}
