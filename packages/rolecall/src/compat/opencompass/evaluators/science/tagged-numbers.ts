import { findAll } from '../../../../python/regex/index.ts'

/** The numbers in <NUMBER>…</NUMBER> or \boxed{…}. */
export function taggedNumbers(text: string): number[] {
  return findAll(String.raw`(?:<NUMBER>\s*|\\boxed\{)\s*(-?\d*\.?\d+)\s*(?:</NUMBER>|\})`, text).map(Number)
}

/** The model's text after its reasoning. */
export function afterThinking(text: string): string {
  return text.split('</think>').at(-1)!
}
