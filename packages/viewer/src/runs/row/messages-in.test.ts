import { expect, test } from 'vitest'
import { turnsText } from './messages-in.ts'

test('messages are compared as text, turn by turn, so that a newline is no letter', () => {
  expect(turnsText('[{"role":"system","content":"Be brief."},{"role":"user","content":"2+2?\\nAnswer."}]')).toBe(
    'system:\nBe brief.\n\nuser:\n2+2?\nAnswer.',
  )
  expect(turnsText('{"messages":[{"role":"user","content":"now?"}],"tools":[{"name":"now"}]}')).toBe(
    'user:\nnow?\n\ntools:\n[\n  {\n    "name": "now"\n  }\n]',
  )
  expect(turnsText('<|im_start|>user\nHi<|im_end|>')).toBe('<|im_start|>user\nHi<|im_end|>')
  expect(turnsText('[1, 2]')).toBe('[1, 2]')
})
