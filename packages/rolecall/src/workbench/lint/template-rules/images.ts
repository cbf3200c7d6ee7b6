import { type ContentFate, mediaShapes, TemplateContents } from '@rolecall/core/internal/format'
import type { PyValue } from '@rolecall/core/internal/python'
import type { ProbeChat, ProbeMessage } from '../probe-chats.ts'
import type { TemplateRule } from '../rule.ts'

const onlyText: ProbeChat = { messages: [{ role: 'user', content: [{ type: 'text', text: 'qzUser' }] }], addGenerationPrompt: true }

/** An image that is dropped. */
export const imageDropped: TemplateRule = {
  id: 'image-dropped',
  severity: 'note',
  finds:
    'A message with an image and text renders as if it had only the text, in one of the shapes in which clients and serving stacks give it; likewise audio and video.',
  why: 'The model answers about an image it never saw. Clients send `image_url`, Hugging Face `image`; not every stack renames it. Templates of text-only models should raise an error.',
  fix: "write the model's placeholder for parts of type `image` and `image_url`, or raise_exception",
  example: {
    bad: "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content if p.type == 'text' %}{{ p.text }}{% endfor %}{% endif %}{% endfor %}",
    good: "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text if p.type == 'text' else '<image>' }}{% endfor %}{% endif %}{% endfor %}",
  },
  check(subject) {
    const write = (messages: readonly PyValue[]) =>
      subject.write({ messages: messages as readonly ProbeMessage[], addGenerationPrompt: true })
    const contents = new TemplateContents((messages) => write(messages)?.text)
    // Templates that do not support lists of parts are covered by `parts-printed`.
    if (contents.text('user', 'parts') !== 'shown') return []
    return (['image', 'audio', 'video'] as const).flatMap((kind) => {
      const shapes = Object.keys(mediaShapes).filter((shape) => mediaShapes[shape]!.kind === kind)
      const withFate = (fate: ContentFate) => shapes.filter((shape) => contents.media('user', shape).fate === fate)
      const [written, dropped] = [withFate('shown'), withFate('dropped')]
      // Most templates know no audio or video, which is no mistake.
      if (dropped.length === 0 || (written.length === 0 && kind !== 'image')) return []
      const what = kind === 'audio' ? 'audio' : kind === 'image' ? 'an image' : 'a video'
      const given = dropped.length === shapes.length ? '' : ` given as ${dropped.join(' or ')}`
      const part = mediaShapes[dropped[0]!]!.part('https://example.org/qzMedia')
      const text = write([{ role: 'user', content: [{ type: 'text', text: 'qzOne' }, part, { type: 'text', text: 'qzTwo' }] }])?.text ?? ''
      return [
        {
          problem: `${what} beside text${given} is silently dropped${written.length === 0 ? '' : `; as ${written.join(' or ')} it is written`}`,
          shown: { of: `user (text, ${what}, text)`, text },
        },
      ]
    })
  },
}

/** Content printed as a Python list. */
export const partsPrinted: TemplateRule = {
  id: 'parts-printed',
  severity: 'note',
  finds: 'Content that is a list of parts is printed as a Python list.',
  why: "Many clients send content as a list of parts. The model then reads `[{'type': 'text', 'text': …` as the user's text.",
  fix: 'test `content is string` and otherwise write the text of the parts; or let the server join them first (most do)',
  example: {
    bad: '{% for m in messages %}{{ m.content }}{% endfor %}',
    good: '{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %}{% endfor %}',
  },
  check(subject) {
    const written = subject.write(onlyText)
    const printed = written && /\[\{'type': 'text', 'text': 'qzUser'\}\]/.exec(written.text)
    if (!printed) return []
    return [
      {
        problem: `content as a list of parts becomes ${printed[0]}`,
        shown: { of: 'user (a list with one text part)', text: written.text, mark: [printed.index, printed.index + printed[0].length] },
      },
    ]
  },
}
