import type { ProbeChat } from '../probe-chats.ts'
import type { TemplateRule } from '../rule.ts'

const picture: ProbeChat = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image', image: 'https://example.org/qzImage.png', image_url: { url: 'https://example.org/qzImage.png' } },
        { type: 'text', text: 'qzUser' },
      ],
    },
  ],
  addGenerationPrompt: true,
}
const onlyText: ProbeChat = { messages: [{ role: 'user', content: [{ type: 'text', text: 'qzUser' }] }], addGenerationPrompt: true }

/** An image that is dropped. */
export const imageDropped: TemplateRule = {
  id: 'image-dropped',
  severity: 'note',
  finds: 'A message with an image and text renders as if it had only the text.',
  why: 'The model answers about an image it never saw. Templates of text-only models should raise an error.',
  fix: "write the model's placeholder for parts of type `image`, or raise_exception",
  example: {
    bad: "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content if p.type == 'text' %}{{ p.text }}{% endfor %}{% endif %}{% endfor %}",
    good: "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text if p.type == 'text' else '<image>' }}{% endfor %}{% endif %}{% endfor %}",
  },
  check(subject) {
    const [written, bare] = [subject.write(picture), subject.write(onlyText)]
    // Templates that do not support lists of parts are covered by `parts-printed`.
    if (!written || !bare?.text.includes('qzUser') || /\{'type'|\{"type"/.test(bare.text)) return []
    if (written.text !== bare.text && written.text.trim() !== bare.text.trim()) return []
    return [{ problem: 'an image beside text is silently dropped', shown: { of: 'user (an image and text)', text: written.text } }]
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
