/** White space between the parts of a value: nothing, one space, or a new line with some indentation; never more, or a reply might not end. */
const most = 20

/** What white space there is after one more byte; undefined where it is none, or too much. 0 is none so far. */
export function goOnBlank(blank: number, byte: number): number | undefined {
  if (blank === 0) return byte === 0x20 ? 1 : byte === 0x0a ? 2 : undefined
  if (blank === 1) return undefined
  return (byte === 0x20 || byte === 0x09) && blank < most + 2 ? blank + 1 : undefined
}
