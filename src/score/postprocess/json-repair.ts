/** JSON whose backslashes begin no escape, as LaTeX in a text has them, with those doubled. */
export function escapeLoneBackslashes(json: string): string {
  return json.replace(/(?<!\\)\\(?![\\/"bfnrtu])/g, '\\\\')
}
