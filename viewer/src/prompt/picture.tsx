import { partTexts } from '../texts/parts.ts'

/** An image embedded in the data; external ones are named but not loaded, because the page sends no requests to other hosts. */
export function Picture({ url }: { url: string }) {
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/.test(url))
    return <img class="picture" src={url} alt={partTexts().imageAlt} />
  return <span class="picture elsewhere">{partTexts().imageElsewhere(url.length > 120 ? `${url.slice(0, 120)}…` : url)}</span>
}
