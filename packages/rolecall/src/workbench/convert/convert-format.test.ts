import { describe, expect, test } from 'vitest'
import { chatTemplateFormat } from '../../../../core/src/prompt/format/chat-template/chat-template-format.ts'
import { compileFormat } from '../../../../core/src/prompt/format/compile-format.ts'
import { convertFormat } from './convert-format.ts'

const template = (source: string, specialTokens: Readonly<Record<string, string>> = {}) =>
  chatTemplateFormat(source, { neighbours: 'error', specialTokens })

const chatml =
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

/** As Llama 2: the system message is part of the user's first turn, texts are trimmed, turns must alternate. */
const inst = `{% if messages[0].role == 'system' %}{% set system = '<<SYS>>\n' + messages[0].content | trim + '\n<</SYS>>\n\n' %}{% set turns = messages[1:] %}{% else %}{% set system = '' %}{% set turns = messages %}{% endif %}{% for m in turns %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('must alternate') }}{% endif %}{% if m.role == 'user' %}{{ bos_token + '[INST] ' + (system if loop.first else '') + m.content | trim + ' [/INST]' }}{% elif m.role == 'assistant' %}{{ ' ' + m.content | trim + ' ' + eos_token }}{% else %}{{ raise_exception('no such role') }}{% endif %}{% else %}{{ raise_exception('nothing is asked') }}{% endfor %}`

describe('a chat template', () => {
  test('converts to an identical meta template without loss', () => {
    const { output, proof, stopsAndPrefix } = convertFormat(
      template(chatml.replace('m.role', "(m.role if m.role != 'tool' else raise_exception('no'))")),
      'meta',
    )
    expect(JSON.parse(output)).toMatchObject({
      round: [
        { role: 'HUMAN', begin: '<|im_start|>user\n', end: '<|im_end|>\n' },
        { role: 'BOT', begin: '<|im_start|>assistant\n', end: '<|im_end|>\n', generate: true },
      ],
      reserved_roles: [{ role: 'SYSTEM', begin: '<|im_start|>system\n', end: '<|im_end|>\n' }],
    })
    expect(proof).toMatchObject({ losses: [], extras: [] })
    expect(stopsAndPrefix.stopTexts).toEqual(['<|im_end|>'])
  })

  test('that folds the system message into the first turn, trims and requires alternating turns round-trips', () => {
    const source = template(inst, { bos_token: '<s>', eos_token: '</s>' })
    const { proof, layout } = convertFormat(source, 'jinja')
    expect(layout).toMatchObject({
      neighbours: 'refused',
      assistantFirst: false,
      trims: { user: 'both', assistant: 'both', system: 'both' },
      system: { before: '<s>[INST] <<SYS>>\n', after: '\n<</SYS>>\n\n', withRole: false },
    })
    expect(proof).toMatchObject({ losses: [], extras: [] })
    expect(proof.same).toBeGreaterThan(50)
  })

  test('that does more than a meta template can express is an error that says what, or a listed loss', () => {
    const source = template(inst, { bos_token: '<s>', eos_token: '</s>' })
    expect(() => convertFormat(source, 'meta', { name: 'inst' })).toThrow(
      expect.objectContaining({
        code: 'not-expressible',
        where: 'inst',
        problem: expect.stringContaining('meta cannot express'),
        fix: expect.stringContaining('--approximate'),
      }),
    )
    const { proof } = convertFormat(source, 'meta', { approximate: true })
    const spaces = proof.losses.find(({ features }) => features.includes('spaces'))
    expect(spaces).toMatchObject({ outcome: 'different', why: 'texts are trimmed, but a meta template writes them unchanged' })
    expect(proof.losses.some(({ features }) => features.includes('system'))).toBe(true)
    // What only the source rejects is reported as well.
    expect(proof.extras.map(({ features }) => features)).toContainEqual(['neighbours'])
  })

  test('with a different first system message and no generation prompt after an answer round-trips', () => {
    const source = template(
      "{% for m in messages %}{{ ('[RULES ' if loop.first and m.role == 'system' else '[') + m.role + ']' + m.content + (' END ' if loop.first and m.role == 'system' else '\n') }}{% endfor %}{% if add_generation_prompt and messages[-1].role != 'assistant' %}[assistant]{% endif %}",
    )
    const { proof, layout } = convertFormat(source, 'jinja')
    expect(layout).toMatchObject({
      system: { place: 'start', before: '[RULES system]', after: ' END ', onlyFirst: true },
      turns: { system: { begin: '[system]', end: '\n' } },
      noReplyAfterAnswer: true,
    })
    expect(proof).toMatchObject({ losses: [], extras: [] })
    const meta = convertFormat(source, 'meta', { approximate: true }).proof.losses
    expect(meta.map(({ why }) => why)).toContain(
      'there is no generation prompt after a final assistant message, but a meta template always writes one',
    )
  })

  test('that leaves the last turn open loses only the end of complete conversations', () => {
    const source = template(
      "{% for m in messages %}{{ '<' + m.role + '>' + m.content }}{% if not loop.last or add_generation_prompt %}{{ '<end>' }}{% endif %}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}",
    )
    const { proof, layout } = convertFormat(source, 'jinja', { approximate: true })
    expect(layout.turns).toMatchObject({ user: { begin: '<user>', end: '<end>' }, assistant: { begin: '<assistant>', end: '<end>' } })
    expect(proof.losses.map(({ features }) => features)).toEqual([['complete']])
  })

  test('whose date would be frozen is an error', () => {
    const dated = `{{ strftime_now('%d %b %Y') }}${chatml}`
    const on = (clock: Date) => chatTemplateFormat(dated, { clock })
    const options = { onAnotherDay: on(new Date(2025, 5, 1)), approximate: true }
    const { proof } = convertFormat(on(new Date(2025, 0, 31)), 'jinja', options)
    expect(proof.losses).toMatchObject([
      { conversations: 'rendered on another day', example: { first: expect.stringContaining('01 Jun 2025') } },
    ])
    expect(() => convertFormat(on(new Date(2025, 0, 31)), 'jinja', { ...options, approximate: false })).toThrow("has today's")
  })

  test('that writes no user text is not a conversation', () => {
    expect(() => convertFormat(template('{{ messages[0].content | upper }}'), 'jinja', { name: 'loud' })).toThrow(
      expect.objectContaining({ code: 'not-plain', where: 'loud' }),
    )
  })

  test('whose tools and calls have a custom syntax loses them, with the reason', () => {
    const source = template(`{% if tools %}{{ tools | tojson }}{% endif %}${chatml}`)
    const { proof, output } = convertFormat(source, 'jinja', { approximate: true })
    expect(proof.losses).toMatchObject([
      {
        outcome: 'refused-by-second',
        features: ['tools'],
        why: "tools use the format's own syntax, which a chat template cannot express",
      },
    ])
    expect(output).toContain('raise_exception')
  })
})

describe('a conversation template of MLC', () => {
  test('with a default system text keeps it in a meta template, which then has no place for another', () => {
    const source = compileFormat({ conv_template: 'llama-2' }, new Set())
    const { output, proof } = convertFormat(source, 'meta', { approximate: true })
    expect(JSON.parse(output).begin).toEqual([1, expect.stringContaining('You are a helpful, respectful')])
    expect(proof.losses).toContainEqual(expect.objectContaining({ outcome: 'refused-by-second', features: ['system'] }))
  })

  test('whose past answers start differently from the reply reports that for a meta template', () => {
    const source = compileFormat({ conv_template: 'redpajama_chat' }, new Set())
    const { proof } = convertFormat(source, 'meta', { approximate: true })
    expect(proof.losses.find(({ features }) => features.includes('past-answer'))?.why).toContain(
      'a past answer begins with "<bot>: " and the reply with "<bot>:"',
    )
  })
})

describe('a meta template', () => {
  const meta = {
    begin: 'Start\n',
    round: [
      { role: 'HUMAN', begin: "it's 'H': ", end: '\\\n' },
      { role: 'THOUGHTS', begin: 'T: ', end: '\n', prompt: 'None' },
      { role: 'BOT', begin: 'B: ', end: '</s>\n', generate: true },
    ],
    end: 'End.',
    eos_token_id: 7,
  }

  test('becomes an OpenCompass config in Python unchanged', () => {
    const source = compileFormat({ meta_template: meta }, new Set())
    const { output, proof } = convertFormat(source, 'opencompass', { name: 'mine', own: { meta_template: meta } })
    expect(output).toContain(`dict(role='HUMAN', begin="it's 'H': ", end='\\\\\\n'),`)
    expect(output).toContain("models = [dict(abbr='mine', meta_template=_meta_template)]")
    expect(proof).toMatchObject({ losses: [], extras: [] })
  })

  test('with more roles in its rounds reports that only meta templates have these', () => {
    const source = compileFormat({ meta_template: meta }, new Set())
    const { proof } = convertFormat(source, 'jinja', { approximate: true })
    expect(proof.losses).toMatchObject([{ features: ['rounds'], why: expect.stringContaining('THOUGHTS') }])
  })
})
