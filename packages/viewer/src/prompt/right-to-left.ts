/** Letters of right-to-left scripts: Hebrew, Arabic, Syriac, Thaana, N'Ko, Adlam and others. */
const letters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Whether a text contains right-to-left parts, which would move adjacent text. */
export function hasRightToLeft(text: string): boolean {
  return letters.test(text)
}
