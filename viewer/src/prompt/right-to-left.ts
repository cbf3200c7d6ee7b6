/** Letters of scripts that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko, Adlam and others. */
const letters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Whether a part of a text runs from right to left, and would move what stands beside it. */
export function hasRightToLeft(text: string): boolean {
  return letters.test(text)
}
