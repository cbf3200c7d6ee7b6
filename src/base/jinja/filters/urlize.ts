import { escapeText } from '../../python/values/repr.ts'
import { plainText } from '../../python/values/text.ts'

const http = /^(?:https?:\/\/|www\.)(?:[^\s%]+\.[^\s%.]{2,}|[^\s/?#]+:\d+|localhost)\S*$/i
const mail = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u

/** Makes links of addresses in a text, which is escaped. */
export function urlize(
  text: string,
  limit: number | undefined,
  nofollow: boolean,
  target: string | undefined,
  rel: string | undefined,
): string {
  const rels = [...new Set([...(rel ?? '').split(/\s+/), 'noopener', ...(nofollow ? ['nofollow'] : [])])]
    .filter((part) => part !== '')
    .sort()
  const attributes = ` rel="${escaped(rels.join(' '))}"${target === undefined ? '' : ` target="${escaped(target)}"`}`
  const shorten = (address: string) => (limit !== undefined && address.length > limit ? `${address.slice(0, limit)}...` : address)
  return escaped(text)
    .split(/(\s+)/)
    .map((word) => {
      if (word.length > 2000) return word // no address, and matching takes more than linear time
      const [, head = '', middle = '', tail = ''] = /^((?:[(<]|&lt;)*)(.*?)((?:[)>.,\n]|&gt;)*)$/.exec(word) ?? []
      if (http.test(middle)) {
        const address = /^https?:\/\//i.test(middle) ? middle : `https://${middle}`
        return `${head}<a href="${address}"${attributes}>${shorten(middle)}</a>${tail}`
      }
      if (middle.startsWith('mailto:') && mail.test(middle.slice(7))) return `${head}<a href="${middle}">${middle.slice(7)}</a>${tail}`
      if (mail.test(middle) && !middle.startsWith('www.') && !middle.includes(':'))
        return `${head}<a href="mailto:${middle}">${middle}</a>${tail}`
      return word
    })
    .join('')
}

function escaped(text: string): string {
  return plainText(escapeText(text))
}
