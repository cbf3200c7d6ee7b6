import type { Media } from '../../../src/base/text/index.ts'
import { mediaLabel } from '../../../src/base/text/media-label.ts'
import { partTexts } from '../texts/parts.ts'
import { visibleText } from './visible-text.tsx'

/**
 * Media of a prompt: an image as a thumbnail, audio with a player. Only what is embedded in the data is loaded; the rest is named, because
 * the page sends no requests to other hosts.
 */
export function MediaView({ media }: { media: Media }) {
  const { kind, url } = media
  if (kind === 'image' && isEmbedded(url, /^data:image\/(png|jpeg|gif|webp);base64,/))
    return (
      <a class="media" href={url} target="_blank" rel="noreferrer" title={mediaLabel(media)}>
        <img class="picture" src={url} alt={partTexts().imageAlt} loading="lazy" />
      </a>
    )
  if (kind === 'audio' && isEmbedded(url, /^data:audio\/[a-z0-9.+-]+;base64,/)) {
    // biome-ignore lint/a11y/useMediaCaption: data of a row has no captions.
    return <audio class="media" controls preload="none" src={url} title={mediaLabel(media)} />
  }
  return <span class="picture elsewhere">{visibleText(partTexts().mediaElsewhere(mediaLabel(media)), false)}</span>
}

function isEmbedded(url: string, start: RegExp): boolean {
  const found = start.exec(url)
  return found !== null && /^[A-Za-z0-9+/=\s]*$/.test(url.slice(found[0].length))
}
