/** An answer that cannot be read: cut, or no JSON. The request is sent again. */
export class BadReply extends Error {
  override readonly name = 'BadReply'
}
