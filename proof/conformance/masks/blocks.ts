import { dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { growthOf } from '../../../packages/core/src/masks/chat-text.ts'
import { modelTurns } from '../../../packages/core/src/masks/model-turns.ts'
import { type Outcome, outcomeOf, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, unless, type Verdict } from '../verdict.ts'
import { codePoints, conversationOf, type KnownTemplate, templateOf, traitsOf } from './references.ts'

/** `{% generation %}` blocks of a template, or of its training variant, compared with what the model writes in the same text. */
export const generationBlocks: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'assistant_spans') && dictHas(vector, 'kind'),
  examine(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    const marked = dictHas(given, 'training_template') ? templateOf(dictGet(given, 'training_template'), folder) : template
    if (template === undefined || marked === undefined) return failed('the vectors lack its template')
    return trial(
      outcomeOf(() => ({ ...blocksIn(given, marked), ...spansIn(given, template) })),
      (ours) => judgeBlocks(ours, given, template),
    )
  },
}

type Spans = { text: string; blocks: string; generated?: string }

/** The text of the marked template, and the characters that its blocks contain. */
function blocksIn(vector: PyDict, template: KnownTemplate): Pick<Spans, 'text' | 'blocks'> {
  const { text, generation } = template.render(...inputOf(vector), dictGet(vector, 'add_generation_prompt') === true)
  return { text, blocks: charactersIn(generation.map(({ start, end }) => [codePoints(text, start), codePoints(text, end)])) }
}

/** The characters that the model writes in the same text; null if one of its turns is not known. */
function spansIn(vector: PyDict, template: KnownTemplate): Pick<Spans, 'generated'> {
  if (!dictHas(vector, 'generated_spans')) return {}
  const [messages, tools, kwargs] = inputOf(vector)
  const write = template.writer(tools, kwargs)
  const whole = write(messages, dictGet(vector, 'add_generation_prompt') === true)
  const turns = modelTurns(messages, traitsOf, write, whole, template.end(kwargs))
  const known = turns.flatMap((turn) => (turn.isKnown ? [turn.span.map((at) => codePoints(whole.text, at))] : []))
  return { generated: known.length < turns.length ? 'null' : charactersIn(known) }
}

function judgeBlocks(ours: Outcome, vector: PyDict, template: KnownTemplate): Verdict {
  if ('error' in ours) return failed(show(ours))
  const { text, blocks, generated } = ours.value as Spans
  if (text !== dictGet(vector, 'text')) return failed('the text differs')
  const wanted = charactersIn(dictGet(vector, 'assistant_spans'))
  if (blocks !== wanted) return failed(`the blocks are ${blocks}, expected ${wanted}`)
  const expected = dictGet(vector, 'generated_spans')
  const reference = expected === undefined ? undefined : expected === null ? 'null' : charactersIn(expected)
  if (generated === reference) return identical
  // The reference gives up on a turn without content and without an end token; it contains nothing to train on. The blocks agree on the rest.
  const [messages, , kwargs] = inputOf(vector)
  const isSilent = messages.some((message) => traitsOf(message).role === 'assistant' && !traitsOf(message).hasCalls && hasNoWords(message))
  if (expected === null && isSilent && template.end(kwargs).marker === undefined && spellsReplies(generated, text, messages))
    return { kind: 'rule', rule: 'nothing-to-train' }
  return failed(`the model writes ${generated}, expected ${reference}`)
}

/** Whether these characters are the words of all replies, and nothing else but marks. */
function spellsReplies(spans: string | undefined, text: string, messages: readonly PyValue[]): boolean {
  const characters = [...text]
  const written = (JSON.parse(spans ?? '[]') as [number, number][]).map(([start, end]) => characters.slice(start, end).join('')).join('')
  const replies = messages.filter((message) => traitsOf(message).role === 'assistant' && !hasNoWords(message))
  const words = replies.map((message) => String(dictGet(message as PyDict, 'content')))
  return written.replace(/<[^>]*>/g, '').replace(/\s/g, '') === words.join('').replace(/\s/g, '')
}

function hasNoWords(message: PyValue): boolean {
  const content = dictGet(message as PyDict, 'content')
  return content === undefined || content === null || content === ''
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
  examine(vector, folder) {
    const given = vector as PyDict
    const conversation = conversationOf('masks', dictGet(given, 'conversation'), folder)
    const [stock, training] = ['template', 'training_template'].map((key) => templateOf(dictGet(given, key), folder))
    if (stock === undefined || training === undefined || conversation === undefined)
      return failed('its templates or conversation are not there')
    const expected = Number(dictGet(given, 'first_difference'))
    const ours = outcomeOf(() => {
      const [one, other] = [stock, training].map((template) => template.render(...inputOf(conversation), false).text)
      const growth = growthOf(one!, other!)
      return codePoints(one!, growth.isAppended ? one!.length : growth.at)
    })
    return trial(ours, (at) =>
      unless('value' in at && at.value === expected ? undefined : `they differ at ${show(at)}, expected ${expected}`),
    )
  },
}
