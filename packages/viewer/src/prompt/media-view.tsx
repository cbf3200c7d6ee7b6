import type { Media } from '@rolecall/core/internal/text'
import { mediaLabel } from '@rolecall/core/internal/text'
import { useState } from 'preact/hooks'
import { partTexts } from '../texts/parts.ts'
import { visibleText } from './visible-text.tsx'

/**
 * Media of a prompt: an image as a thumbnail, audio with a player. Loaded are those that are embedded in the data, and files, which the
 * viewer's server has by their hash; the rest is named, because the page sends no requests to other hosts.
 */
export function MediaView({ media }: { media: Media }) {
  const { kind, url } = media
  const [isMissing, setMissing] = useState(false)
  const hash = /^file:.*#sha256=([0-9a-f]{64})$/.exec(url)?.[1]
  const source = hash === undefined ? url : `data/media/${hash}`
  const isLoaded = !isMissing && (hash !== undefined || isEmbedded(url, embedded[kind]))
  if (kind === 'image' && isLoaded)
    return (
      <a class="media" href={source} target="_blank" rel="noreferrer" title={mediaLabel(media)}>
        <img class="picture" src={source} alt={partTexts().imageAlt} loading="lazy" onError={() => setMissing(true)} />
      </a>
    )
  if (kind === 'audio' && isLoaded) {
    // biome-ignore lint/a11y/useMediaCaption: data of a row has no captions.
    return <audio class="media" controls preload="none" src={source} title={mediaLabel(media)} onError={() => setMissing(true)} />
  }
  return <span class="picture elsewhere">{visibleText(partTexts().mediaElsewhere(mediaLabel(media)), false)}</span>
}

const embedded: Partial<Record<Media['kind'], RegExp>> = {
  image: /^data:image\/(png|jpeg|gif|webp);base64,/,
  audio: /^data:audio\/[a-z0-9.+-]+;base64,/,
}

function isEmbedded(url: string, start: RegExp | undefined): boolean {
  const found = start?.exec(url) ?? null
  return found !== null && /^[A-Za-z0-9+/=\s]*$/.test(url.slice(found[0].length))
}
