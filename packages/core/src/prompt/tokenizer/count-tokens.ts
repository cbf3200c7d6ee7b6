import { bodyOf } from '../format/flatten.ts'
import type { Prompt } from '../format/format.ts'
import { RunMemo } from './run-memo.ts'
import { tokenize } from './tokenize.ts'
import type { Tokenizer } from './tokenizer.ts'

/** One function, not one per prompt: tokenizers cache per function. */
const nothingIsProtected = () => false

/** Counts the tokens of prompts, for `fitExamples`. A chat's messages are counted as sent: the server's formatting is unknown here. */
export function tokenCounter(tokenizer: Tokenizer, markers: readonly string[] = []): (prompt: Prompt) => number {
  const memo = new RunMemo()
  return (prompt) => {
    if (prompt.kind === 'completion') return tokenize(prompt, tokenizer, { markers, memo }).ids.length
    return tokenizer.encodeRun(bodyOf(prompt), true, nothingIsProtected).ids.length
  }
}
