import { tokenSplitter } from './split-added-tokens.ts'
import type { Tokenizer } from './tokenizer.ts'

/** Which tokens text from data must never become, and how the format's own text is searched for them. */
export type Protection = { isProtected: (id: number) => boolean; split: ReturnType<typeof tokenSplitter> }

const known = new WeakMap<Tokenizer, Map<string, Protection>>()

/**
 * Protected are the tokenizer's special tokens and the format's markers, whatever their flags say: Qwen's `<think>` and
 * DeepSeek's `<｜User｜>` are not marked as special. Other added tokens (Gemma's runs of newlines, HTML tags) are ordinary.
 */
export function protectionOf(tokenizer: Tokenizer, markers: readonly string[]): Protection {
  const key = markers.join('\u0000')
  const ofTokenizer = known.get(tokenizer) ?? new Map<string, Protection>()
  known.set(tokenizer, ofTokenizer)
  const found = ofTokenizer.get(key)
  if (found) return found
  const tokens = tokenizer.addedTokens.filter(
    ({ content, special }) =>
      special || looksLikeMarker(content) || markers.some((marker) => marker.includes(content) && content.trim() !== ''),
  )
  const ids = new Set(tokens.map(({ id }) => id))
  const protection = { isProtected: (id: number) => ids.has(id), split: tokenSplitter(tokens) }
  ofTokenizer.set(key, protection)
  return protection
}

/** Added tokens that serve as markers in chat templates without being marked as special. */
function looksLikeMarker(content: string): boolean {
  return (
    /^<[|｜].*[|｜]>$/u.test(content) ||
    /^<\/?(think|tool_?calls?|tool_?responses?|tools?|function_?calls?|answer|arg_key|arg_value|observation)>$/iu.test(content) ||
    /^\[\/?[A-Z_]{3,}\]$/.test(content)
  )
}
