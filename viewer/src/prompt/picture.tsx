import { partWords } from '../words/parts.ts'

/** An image that is part of the data; one from elsewhere is named and not loaded, since the page asks nobody else. */
export function Picture({ url }: { url: string }) {
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/.test(url))
    return <img class="picture" src={url} alt={partWords().imageAlt} />
  return <span class="picture elsewhere">{partWords().imageElsewhere(url.length > 120 ? `${url.slice(0, 120)}…` : url)}</span>
}
