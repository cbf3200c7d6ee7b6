/** An image that is part of the data; one from elsewhere is named and not loaded, since the page asks nobody else. */
export function Picture({ url }: { url: string }) {
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/.test(url))
    return <img class="picture" src={url} alt="part of the message" />
  return <span class="picture elsewhere">image at {url.length > 120 ? `${url.slice(0, 120)}…` : url} (not loaded)</span>
}
