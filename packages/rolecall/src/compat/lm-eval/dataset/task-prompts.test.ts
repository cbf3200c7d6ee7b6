import { expect, test } from 'vitest'
import { textOf } from '../../../../../core/src/base/text/index.ts'
import { compilePrompt } from '../../../../../core/src/prompt/compile/compile-prompt.ts'
import { promptText } from '../../../../../core/src/prompt/format/prompt-text.ts'
import { registerLmEval } from '../register.ts'

registerLmEval()

const chatTemplate =
  '{% for m in messages %}<|{{ m.role }}|>\n{{ m.content | trim }}<|end|>\n{% endfor %}{% if add_generation_prompt %}<|assistant|>\n<think></think>\n{% endif %}'

function scoredChat(task: Record<string, unknown>, row: Record<string, string>, label = '0') {
  const dataset = {
    abbr: 'owls',
    infer_cfg: {},
    lm_eval: {
      file: 'owls.yaml',
      task: { output_type: 'multiple_choice', doc_to_text: '{{q}}', doc_to_target: 0, doc_to_choice: '{{[a, b]}}', ...task },
      files: {},
      rows: [JSON.stringify({ q: 'Do owls fly?', a: 'no', b: 'yes' }), JSON.stringify(row)],
      pool: [],
      apply_chat_template: true,
      fewshot_as_multiturn: true,
    },
  }
  const { prompt } = compilePrompt({ chat_template: chatTemplate }, dataset).render({ row, mode: 'ppl', label })
  if (prompt.kind !== 'completion') throw new Error('expected a completion')
  const scored = prompt.answer && textOf(prompt.pieces.slice(prompt.answer.start, prompt.answer.end))
  return { text: promptText(prompt), scored }
}

test('a choice follows the prompt that the chat template writes for a reply, as it is: not trimmed, without an end of turn', () => {
  expect(scoredChat({}, { q: 'Do owls bark?', a: ' no\n', b: 'yes' })).toEqual({
    text: '<|user|>\nDo owls bark?<|end|>\n<|assistant|>\n<think></think>\n no\n',
    scored: ' no\n',
  })
})

test('after the start of an answer, the choice continues that turn', () => {
  expect(scoredChat({ gen_prefix: 'Answer:' }, { q: 'Do owls bark?', a: 'no', b: 'yes' }, '1')).toEqual({
    text: '<|user|>\nDo owls bark?<|end|>\n<|assistant|>\nAnswer: yes',
    scored: ' yes',
  })
})

test('an empty choice leaves the prompt for a reply, and nothing of the question is scored', () => {
  expect(scoredChat({}, { q: 'Do owls bark?', a: '', b: 'yes' })).toEqual({
    text: '<|user|>\nDo owls bark?<|end|>\n<|assistant|>\n<think></think>\n',
    scored: '',
  })
})
