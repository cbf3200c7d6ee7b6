/** Whether a text starts or ends with half of a surrogate pair, which its neighbour may complete. */
export function splitsPair(text: string): boolean {
  if (text === '') return false
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return (first >= 0xdc00 && first <= 0xdfff) || (last >= 0xd800 && last <= 0xdbff)
}
