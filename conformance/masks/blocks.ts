import { PromptError } from '../../src/base/errors/prompt-error.ts'
import { dictGet, dictHas, type PyDict, type PyValue } from '../../src/base/python/index.ts'
import { growthOf } from '../../src/workbench/training/chat-text.ts'
import { modelTurns } from '../../src/workbench/training/model-turns.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'
import { codePoints, conversationOf, type KnownTemplate, templateOf, traitsOf } from './references.ts'
import { failed, writeOrFail } from './spans.ts'

/** `{% generation %}` blocks of a template, or of its training variant, compared with what the model writes in the same text. */
export const generationBlocks: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'assistant_spans') && dictHas(vector, 'kind'),
  judge(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    const marked = dictHas(given, 'training_template') ? templateOf(dictGet(given, 'training_template'), folder) : template
    if (template === undefined || marked === undefined) return { kind: 'failed', why: 'its template is not there' }
    const verdict = writeOrFail((): Verdict => {
      const why = blocksDifference(given, marked)
      return why === undefined ? judgeSpans(given, template) : failed(why)
    })
    return verdict instanceof PromptError ? failed(verdict.message) : verdict
  },
}

function blocksDifference(vector: PyDict, template: KnownTemplate): string | undefined {
  const { text, generation } = template.render(...inputOf(vector), dictGet(vector, 'add_generation_prompt') === true)
  if (text !== dictGet(vector, 'text')) return 'the text differs'
  const ours = charactersIn(generation.map(({ start, end }) => [codePoints(text, start), codePoints(text, end)]))
  const expected = charactersIn(dictGet(vector, 'assistant_spans'))
  return ours === expected ? undefined : `the blocks are ${ours}, expected ${expected}`
}

function judgeSpans(vector: PyDict, template: KnownTemplate): Verdict {
  const expected = dictGet(vector, 'generated_spans')
  if (expected === undefined) return { kind: 'passed' }
  const [messages, tools, kwargs] = inputOf(vector)
  const write = template.writer(tools, kwargs)
  const whole = write(messages, dictGet(vector, 'add_generation_prompt') === true)
  if (whole.text !== dictGet(vector, 'text')) return failed('the text differs')
  const turns = modelTurns(messages, traitsOf, write, whole, template.end(kwargs))
  const known = turns.flatMap((turn) => (turn.isKnown ? [turn.span.map((at) => codePoints(whole.text, at))] : []))
  const ours = known.length < turns.length ? 'null' : charactersIn(known)
  const reference = expected === null ? 'null' : charactersIn(expected)
  if (ours === reference) return { kind: 'passed' }
  // The reference gives up on a turn without content and without an end token; it contains nothing to train on.
  if (expected === null && template.end(kwargs).marker === undefined && turns.some(({ isSilent }) => isSilent))
    return { kind: 'deviation', rule: 'nothing-to-train' }
  return failed(`the model writes ${ours}, expected ${reference}`)
}

function inputOf(vector: PyDict): [messages: readonly PyValue[], tools: PyValue | undefined, kwargs: PyValue | undefined] {
  return [dictGet(vector, 'messages') as readonly PyValue[], dictGet(vector, 'tools'), dictGet(vector, 'kwargs')]
}

/** Spans as sets of characters: adjacent spans merge and empty spans disappear. */
export function charactersIn(spans: PyValue | undefined | readonly (readonly number[])[]): string {
  const joined: [number, number][] = []
  for (const [start, end] of (spans as readonly (readonly PyValue[])[]).map((span) => span.map(Number))) {
    if (start === end) continue
    const last = joined.at(-1)
    if (last !== undefined && last[1] >= start!) last[1] = Math.max(last[1], end!)
    else joined.push([start!, end!])
  }
  return JSON.stringify(joined)
}

/** Templates whose training variant renders a different text; its marks do not apply to the original. */
export const templatesDiffer: Suite = {
  name: 'masks',
  recognises: (vector) => dictGet(vector, 'equal_text') === false && dictHas(vector, 'training_template'),
  judge(vector, folder) {
    const given = vector as PyDict
    const conversation = conversationOf('masks', dictGet(given, 'conversation'), folder)
    const [stock, training] = ['template', 'training_template'].map((key) => templateOf(dictGet(given, key), folder))
    if (stock === undefined || training === undefined || conversation === undefined)
      return { kind: 'failed', why: 'its templates or conversation are not there' }
    const [one, other] = [stock, training].map((template) => template.render(...inputOf(conversation), false).text)
    const growth = growthOf(one!, other!)
    const at = growth.isAppended ? one!.length : growth.at
    const expected = Number(dictGet(given, 'first_difference'))
    return failed(codePoints(one!, at) === expected ? undefined : `they differ at ${at}, expected ${expected}`)
  },
}
