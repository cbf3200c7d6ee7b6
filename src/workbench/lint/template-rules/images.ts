import type { ProbeChat } from '../chats.ts'
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
  isAsked: true,
}
const onlyText: ProbeChat = { messages: [{ role: 'user', content: [{ type: 'text', text: 'qzUser' }] }], isAsked: true }

/** A picture that leaves no trace. */
export const imageDropped: TemplateRule = {
  id: 'image-dropped',
  severity: 'note',
  finds: 'A message with an image and a text is written as if there were only the text.',
  why: 'The model answers about a picture that it never saw. Models without eyes should refuse it aloud.',
  fix: 'write the placeholder of the model for parts of the type `image`, or raise_exception',
  example: {
    bad: "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content if p.type == 'text' %}{{ p.text }}{% endfor %}{% endif %}{% endfor %}",
    good: "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text if p.type == 'text' else '<image>' }}{% endfor %}{% endif %}{% endfor %}",
  },
  check(subject) {
    const [written, bare] = [subject.write(picture), subject.write(onlyText)]
    // A template that does not take lists of parts at all is told by another rule.
    if (!written || !bare?.text.includes('qzUser') || /\{'type'|\{"type"/.test(bare.text)) return []
    if (written.text !== bare.text && written.text.trim() !== bare.text.trim()) return []
    return [
      { problem: 'an image beside a text is left out without an error', shown: { of: 'user (an image and a text)', text: written.text } },
    ]
  },
}

/** Content that is printed as Python's list. */
export const partsPrinted: TemplateRule = {
  id: 'parts-printed',
  severity: 'note',
  finds: 'Content that is a list of parts is printed as Python writes a list.',
  why: "Many programs send content as a list of parts. The model then reads `[{'type': 'text', 'text': …` as the user's words.",
  fix: 'test `content is string`, and write the texts of the parts otherwise; or have the server join them before (most do)',
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
        shown: { of: 'user (a list of one text)', text: written.text, mark: [printed.index, printed.index + printed[0].length] },
      },
    ]
  },
}
