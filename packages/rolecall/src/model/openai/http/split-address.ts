/**
 * A server's address without login and query, to which paths are appended and which may be shown, and its query, which follows every path.
 * What is no address stays as it is, for the error of its request.
 *
 * @example
 * splitAddress('https://x.test/v1/?api-version=1') // => { baseUrl: 'https://x.test/v1', query: '?api-version=1' }
 */
export function splitAddress(address: string): { baseUrl: string; query: string } {
  // `localhost:8000/v1` is a URL, of the scheme `localhost:`.
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return { baseUrl: address, query: '' }
  const { origin, pathname, search } = new URL(address)
  return { baseUrl: `${origin}${pathname.replace(/\/+$/, '')}`, query: search }
}
