/**
 * Whether a relative path stays in its folder, on any operating system; links are not followed.
 *
 * @example
 * staysInside('predictions/tiny/sums.jsonl') // => true
 * staysInside('predictions/../../.bashrc') // => false
 */
export function staysInside(path: string | undefined): boolean {
  return path === undefined || (!/\\|\0|^[A-Za-z]:/.test(path) && path.split('/').every((part) => !/^\.{0,2}$/.test(part)))
}
