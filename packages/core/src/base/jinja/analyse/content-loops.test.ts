import { expect, test } from 'vitest'
import { contentLoops } from './content-loops.ts'

const inLoop = (inner: string, name = 'message', list = 'messages') => `{% for ${name} in ${list} %}${inner}{% endfor %}`

test.each([
  ['a loop over the parts of a message', inLoop('{% for p in message.content %}{% endfor %}'), { byName: true, tracked: true }],
  ['by key', inLoop("{% for p in message['content'] %}{% endfor %}"), { byName: true, tracked: true }],
  ['through a filter and a slice', inLoop('{% for p in (message.content | list)[1:] %}{% endfor %}'), { byName: true, tracked: true }],
  ['a message of another name', inLoop('{% for p in turn.content %}{% endfor %}', 'turn'), { byName: false, tracked: true }],
  [
    'messages of another name',
    `{% set rest = messages[1:] %}{% set all = rest %}${inLoop('{% for p in turn.content %}{% endfor %}', 'turn', 'all')}`,
    { byName: false, tracked: true },
  ],
  [
    'a loop in a macro over `content`',
    '{% macro write(content) %}{% for p in content %}{% endfor %}{% endmacro %}',
    { byName: false, tracked: true },
  ],
  [
    'a copy of the content is not followed',
    inLoop('{% set c = message.content %}{% for p in c %}{% endfor %}'),
    { byName: false, tracked: false },
  ],
  ['a name that is no message', '{% for p in m.content %}{% endfor %}', { byName: true, tracked: false }],
  ['no loop over parts', inLoop('{{ message.content }}'), { byName: false, tracked: false }],
  ['items that are unpacked', inLoop('{% for a, b in message.content %}{% endfor %}'), { byName: true, tracked: false }],
  ['a template with a mistake', '{% for %}', { byName: false, tracked: false }],
])('%s', (_, source, expected) => expect(contentLoops(source)).toEqual(expected))
