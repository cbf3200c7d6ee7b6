/** An id as clients know them: `cmpl-…`, `chatcmpl-…`, `call_…`. */
export function newId(kind: string, separator = '-'): string {
  return `${kind}${separator}${crypto.randomUUID().replaceAll('-', '')}`
}
