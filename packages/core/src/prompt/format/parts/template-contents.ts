import type { PyDict, PyValue } from '../../../base/python/index.ts'
import type { Media } from '../../../base/text/index.ts'
import { textPart } from './engine-message.ts'

/** What becomes of a content: written, left out, printed as Python prints a list, or refused with an error. */
export type ContentFate = 'shown' | 'dropped' | 'printed' | 'rejected'

/** The roles whose contents are probed. */
export const contentRoles = ['user', 'system', 'assistant', 'tool'] as const
export type ContentRole = (typeof contentRoles)[number]

/** The shapes of media that templates test for, by the type of the part. */
export const mediaShapes: Readonly<Record<string, { kind: Media['kind']; part(url: string): PyDict }>> = {
  '{ type: image }': { kind: 'image', part: () => ({ type: 'image' }) },
  '{ type: image, url }': { kind: 'image', part: (url) => ({ type: 'image', url }) },
  '{ type: image_url }': { kind: 'image', part: (url) => ({ type: 'image_url', image_url: { url } }) },
  '{ type: audio }': { kind: 'audio', part: () => ({ type: 'audio' }) },
  '{ type: audio, url }': { kind: 'audio', part: (url) => ({ type: 'audio', url }) },
  '{ type: audio_url }': { kind: 'audio', part: (url) => ({ type: 'audio_url', audio_url: { url } }) },
  '{ type: input_audio }': { kind: 'audio', part: (url) => ({ type: 'input_audio', input_audio: { data: url, format: 'wav' } }) },
  '{ type: video }': { kind: 'video', part: () => ({ type: 'video' }) },
  '{ type: video, url }': { kind: 'video', part: (url) => ({ type: 'video', url }) },
  '{ type: video_url }': { kind: 'video', part: (url) => ({ type: 'video_url', video_url: { url } }) },
}

/**
 * What a template takes as content, found by rendering: each role, each form and each shape of media has a probe of its own, since a
 * template may test the type of a part, one of its keys, or neither. Probes run when they are needed, once.
 */
export class TemplateContents {
  readonly #render: (messages: readonly PyValue[]) => string | undefined
  readonly #texts = new Map<string, ContentFate>()
  readonly #media = new Map<string, { fate: ContentFate; placeholder: string }>()

  /** `render` gives undefined if the template fails. */
  constructor(render: (messages: readonly PyValue[]) => string | undefined) {
    this.#render = render
  }

  /** What becomes of a text: as a string, as one part, or as two parts. */
  text(role: ContentRole, form: 'string' | 'part' | 'parts'): ContentFate {
    const key = `${role} ${form}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const texts = form === 'parts' ? ['qzOne', 'qzTwo'] : ['qzOne']
    const fate = fateOf(this.#render(this.#chat(role, form === 'string' ? texts[0]! : texts.map(textPart))), texts)
    this.#texts.set(key, fate)
    return fate
  }

  /** What becomes of media between two texts, and what is written for them. */
  media(role: ContentRole, shape: string): { fate: ContentFate; placeholder: string } {
    const key = `${role} ${shape}`
    const known = this.#media.get(key)
    if (known !== undefined) return known
    const found = this.#probeMedia(role, mediaShapes[shape]!.part('https://example.org/qzMedia'))
    this.#media.set(key, found)
    return found
  }

  #probeMedia(role: ContentRole, part: PyDict): { fate: ContentFate; placeholder: string } {
    const texts = [textPart('qzOne'), textPart('qzTwo')]
    const without = this.#render(this.#chat(role, texts))
    const rendered = this.#render(this.#chat(role, [texts[0]!, part, texts[1]!]))
    const fate = fateOf(rendered, ['qzOne', 'qzTwo'])
    if (fate !== 'shown' || rendered === undefined) return { fate, placeholder: '' }
    if (rendered === without) return { fate: 'dropped', placeholder: '' }
    return { fate, placeholder: written(rendered, without ?? '') }
  }

  /** A chat with a content in a message of a role; the other messages have the form that the template takes. */
  #chat(role: ContentRole, content: PyValue): PyValue[] {
    const isProbe = role === 'user' && typeof content === 'string'
    const said = (text: string): PyValue => (isProbe || this.text('user', 'string') === 'shown' ? text : [textPart(text)])
    switch (role) {
      case 'user':
        return [{ role, content }]
      case 'system':
        return [
          { role, content },
          { role: 'user', content: said('qzUser') },
        ]
      case 'assistant':
        return [
          { role: 'user', content: said('qzUser') },
          { role, content },
          { role: 'user', content: said('qzAgain') },
        ]
      case 'tool':
        return [{ role: 'user', content: said('qzUser') }, call, { role, name: 'qzTool', tool_call_id: 'qzcallid1', content }]
      default:
        return role satisfies never
    }
  }
}

const call: PyDict = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'qzcallid1', type: 'function', function: { name: 'qzTool', arguments: { qzKey: 'qzValue' } } }],
}

function fateOf(rendered: string | undefined, texts: readonly string[]): ContentFate {
  if (rendered === undefined) return 'rejected'
  if (!texts.every((text) => rendered.includes(text))) return 'dropped'
  return texts.some((text) => new RegExp(`['"]${text}|['"]type['"]\\s*:`).test(rendered)) ? 'printed' : 'shown'
}

/** What the second text lacks: the difference between what stands between the two probes' texts. */
function written(rendered: string, without: string): string {
  const between = (text: string) => text.slice(text.indexOf('qzOne') + 'qzOne'.length, text.indexOf('qzTwo'))
  const [long, short] = [between(rendered), between(without)]
  return (
    short !== '' && long.startsWith(short)
      ? long.slice(short.length)
      : short !== '' && long.endsWith(short)
        ? long.slice(0, -short.length)
        : long
  ).trim()
}
