const needsEscapes = /["\\\u0000-\u001f\ud800-\udfff]/

/** The text, escaped as the content of a JSON string. */
export function escapeJson(text: string): string {
  return needsEscapes.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
