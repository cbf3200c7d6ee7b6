const needsEscapes = /["\\\u0000-\u001f\ud800-\udfff]/

/** The text as it stands inside a JSON string. */
export function escapeJson(text: string): string {
  return needsEscapes.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
