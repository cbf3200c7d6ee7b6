import { findAll } from '../../../../base/python/regex/index.ts'

/** The numbers that stand in <NUMBER>…</NUMBER> or \boxed{…}. */
export function taggedNumbers(text: string): number[] {
  return findAll(String.raw`(?:<NUMBER>\s*|\\boxed\{)\s*(-?\d*\.?\d+)\s*(?:</NUMBER>|\})`, text).map(Number)
}

/** What a model says after its thoughts. */
export function afterThinking(text: string): string {
  return text.split('</think>').at(-1)!
}
