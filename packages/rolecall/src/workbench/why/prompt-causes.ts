import { imageMark } from '../../evaluation/run/record/pair-setup.ts'
import { changeBetween, sayChange } from '../diff/change.ts'
import { normalQuestion } from './normal-question.ts'
import { bos, type RenderedTurns, renderedTurns } from './rendered-turns.ts'
import type { WhyRow, WhySide, WhyTurn } from './why-row.ts'

/** Why two prompts of a row differ: in how they are built, or in the row itself. */
export type PromptCause = { step: 'rows' | 'prompt'; cause: string; detail: string }

type Difference = Omit<PromptCause, 'step'>

/** Special tokens of chat templates, and the role names between them. */
const markup = /<\|[^|>]{1,40}\|>|<\/?s>|<eo[ah]>|<(?:bos|eos|start_of_turn|end_of_turn)>|\[\/?INST\]|<<\/?SYS>>|<｜[^｜]{1,40}｜>/gu
const roleNames = /^\s*(?:system|user|assistant|human|gpt|model)\s*$/gimu

/** The causes of a difference between two prompts of one row, in the order of the prompt; empty if they are the same. */
export function promptCauses(first: WhyRow, second: WhyRow, sides: readonly [WhySide, WhySide]): PromptCause[] {
  const isRevised = isSameHarness(sides) && isOtherQuestion(first, second)
  const detail = isRevised ? sayChange(changeBetween(first.question!, second.question!)) : ''
  const built = differences(first, isRevised ? withQuestionOf(first, second) : second, sides)
  return [
    ...(isRevised ? [{ step: 'rows' as const, cause: 'dataset revision', detail }] : []),
    ...built.map((one) => ({ step: 'prompt' as const, ...one })),
  ]
}

/** Whether the dataset asks something else in a row: a question in the other one has a frame around it, unless the row itself differs. */
function isOtherQuestion(first: WhyRow, second: WhyRow): boolean {
  if (first.question === undefined || second.question === undefined) return false
  const [one, two] = [normalQuestion(first.question), normalQuestion(second.question)]
  const [hash, otherHash] = [first.keys.doc_hash, second.keys.doc_hash]
  if (hash !== undefined && otherHash !== undefined) return one !== two && hash !== otherHash
  return !one.includes(two) && !two.includes(one)
}

/** The second row with the question of the first. */
function withQuestionOf({ question }: WhyRow, second: WhyRow): WhyRow {
  const replaced = (text: string) => text.replaceAll(second.question!, () => question!)
  const { prompt } = second
  if (typeof prompt !== 'object') return { ...second, prompt: prompt && replaced(prompt) }
  return { ...second, prompt: prompt.map((turn) => ({ ...turn, content: replaced(turn.content) })) }
}

function differences(first: WhyRow, second: WhyRow, sides: readonly [WhySide, WhySide]): Difference[] {
  if (first.prompt === undefined || second.prompt === undefined) return []
  const [seen, otherSeen] = [turnsOf(first, sides[0]), turnsOf(second, sides[1])]
  if (JSON.stringify(seen) === JSON.stringify(otherSeen)) return []
  const images = imageCauses(seen, otherSeen)
  const [one, other] = [withoutImages(seen), withoutImages(otherSeen)]
  if (JSON.stringify(one) === JSON.stringify(other)) return images
  const factShots = [sides[0], sides[1]].map(({ setup }) => setup.prompt.shots)
  const context: Context = {
    first,
    second,
    isTurn: false,
    hasOtherShots: !isSame(factShots[0], factShots[1]) && factShots.every((shots) => typeof shots === 'number'),
  }
  return [...images, ...causesBetween(one, other, context)]
}

function causesBetween(one: string | readonly WhyTurn[], other: string | readonly WhyTurn[], context: Context): Difference[] {
  if (typeof one === 'string' && typeof other === 'string') return textCauses(one, other, context)
  if (typeof one !== 'string' && typeof other !== 'string') return messageCauses(one, other, context)
  return endpointCauses(one, other, context)
}

/** Other images, or the same ones in another order or elsewhere in the text; a text shows none. */
function imageCauses(one: string | readonly WhyTurn[], other: string | readonly WhyTurn[]): Difference[] {
  if (typeof one === 'string' || typeof other === 'string') return []
  const [shown, otherShown] = [one, other].map((turns) => turns.flatMap(({ images = [] }) => images)) as [string[], string[]]
  const counts = `${shown.length} and ${otherShown.length} images`
  if (!isSame([...shown].sort(), [...otherShown].sort()))
    return [{ cause: 'images', detail: shown.length === otherShown.length ? 'other images' : counts }]
  if (!isSame(shown, otherShown)) return [{ cause: 'image order', detail: 'the same images in another order' }]
  if (shown.length === 0 || !isSame(withoutImages(one), withoutImages(other))) return []
  return [{ cause: 'image order', detail: 'the same images elsewhere in the text' }]
}

function withoutImages(prompt: string | readonly WhyTurn[]): string | readonly WhyTurn[] {
  if (typeof prompt === 'string') return prompt
  return prompt.map(({ role, content }) => ({ role, content: content.replaceAll(imageMark, '') }))
}

/** `isTurn`: the texts are what a user says, and the reply starts a new turn. */
type Context = { first: WhyRow; second: WhyRow; hasOtherShots: boolean; isTurn: boolean }

/** A text sent to a chat endpoint is one user message. */
function turnsOf({ prompt }: WhyRow, { setup }: WhySide): string | readonly WhyTurn[] {
  return typeof prompt === 'string' && setup.endpoint === 'chat' ? [{ role: 'user', content: prompt }] : prompt!
}

/** Text on one side, messages on the other: the same texts in a template that one tool rendered and the other's server renders. */
function endpointCauses(one: string | readonly WhyTurn[], other: string | readonly WhyTurn[], context: Context): Difference[] {
  const text = typeof one === 'string' ? one : (other as string)
  const hasMarkup = text.replace(bos, '').search(markup) >= 0
  const cause = hasMarkup
    ? { cause: 'endpoint', detail: 'a rendered chat template on one side, messages that the server renders on the other' }
    : { cause: 'chat template', detail: 'plain text on one side, messages in a chat template on the other' }
  const [left, right] = [plainText(one), plainText(other)]
  return squeezed(left) === squeezed(right) ? [cause] : [cause, ...textCauses(left, right, context)]
}

const isSystem = ({ role }: WhyTurn) => role === 'system' || role === 'developer'

/** Turns without the start of the reply, which may be the last one. */
function withoutPrefix(turns: readonly WhyTurn[]): { asked: readonly WhyTurn[]; prefix: string } {
  const last = turns.at(-1)
  return last?.role === 'assistant' ? { asked: turns.slice(0, -1), prefix: last.content } : { asked: turns, prefix: '' }
}

function messageCauses(one: readonly WhyTurn[], other: readonly WhyTurn[], context: Context): Difference[] {
  const [own, theirs] = [withoutPrefix(one), withoutPrefix(other)]
  return [
    ...(own.prefix === theirs.prefix ? [] : [{ cause: 'answer prefix', detail: sayChange(changeBetween(own.prefix, theirs.prefix)) }]),
    ...(isSame(own.asked, theirs.asked) ? [] : turnCauses(own.asked, theirs.asked, { ...context, isTurn: true })),
  ]
}

function turnCauses(one: readonly WhyTurn[], other: readonly WhyTurn[], context: Context): Difference[] {
  const [systemText, otherSystem] = [one, other].map((turns) => joined(turns.filter(isSystem))) as [string, string]
  const [rest, otherRest] = [one, other].map((turns) => turns.filter((turn) => !isSystem(turn))) as [WhyTurn[], WhyTurn[]]
  if (systemText !== otherSystem && squeezed(joined(one)) === squeezed(joined(other)))
    return [{ cause: 'system prompt', detail: 'the same text in a system message and in another one' }]
  const causes: Difference[] = []
  if (systemText !== otherSystem) {
    // Examples may stand in the system message.
    const added = systemText.length > otherSystem.length ? systemText : otherSystem
    const isExamples =
      [rest, otherRest].some((turns) => hasExamples(added, turns.at(-1)?.content ?? '')) ||
      (context.hasOtherShots && JSON.stringify(rest) === JSON.stringify(otherRest))
    const detail = sayChange(changeBetween(systemText, otherSystem))
    causes.push(
      isExamples && (systemText === '' || otherSystem === '')
        ? { cause: 'shots', detail }
        : { cause: isExamples && isReordered(systemText, otherSystem) ? 'shot order' : 'system prompt', detail },
    )
  }
  if (isSame(rest, otherRest))
    return causes.length > 0 || isSame(one, other) ? causes : [{ cause: 'system prompt', detail: 'its message has another role' }]
  const [last, otherLast] = [rest.at(-1)?.content ?? '', otherRest.at(-1)?.content ?? '']
  const [earlier, otherEarlier] = [rest.slice(0, -1), otherRest.slice(0, -1)]
  if (rest.length !== otherRest.length && squeezed(joined(rest)) === squeezed(joined(otherRest)))
    return [...causes, { cause: 'shot layout', detail: `the same text in ${rest.length} turns and in ${otherRest.length}` }]
  if (earlier.length + otherEarlier.length > 0 && last === otherLast) {
    const isOrder = earlier.length === otherEarlier.length && sortedTexts(earlier) === sortedTexts(otherEarlier)
    const detail = isOrder
      ? 'the same examples in another order'
      : `${Math.floor(earlier.length / 2)} examples and ${Math.floor(otherEarlier.length / 2)}`
    return [...causes, { cause: isOrder ? 'shot order' : 'shots', detail }]
  }
  if (earlier.length > 0 !== otherEarlier.length > 0 && (last.endsWith(otherLast) || otherLast.endsWith(last)))
    return [...causes, { cause: 'shots', detail: 'examples as turns on one side' }]
  const inTurns = JSON.stringify(earlier) === JSON.stringify(otherEarlier) ? [last, otherLast] : [joined(rest), joined(otherRest)]
  return [...causes, ...textCauses(inTurns[0]!, inTurns[1]!, context)]
}

/** Prompts that chat templates rendered: other markup, another start of the reply, other turns. */
function renderedCauses(one: RenderedTurns, other: RenderedTurns, context: Context): Difference[] {
  return [
    ...(one.markup === other.markup ? [] : [{ cause: 'chat template', detail: `${one.markup || 'none'} → ${other.markup || 'none'}` }]),
    ...(one.prefix === other.prefix ? [] : [{ cause: 'answer prefix', detail: sayChange(changeBetween(one.prefix, other.prefix)) }]),
    ...(isSame(one.turns, other.turns) ? [] : turnCauses(one.turns, other.turns, { ...context, isTurn: true })),
  ]
}

function plainTurns(text: string): RenderedTurns {
  return { turns: [{ role: 'user', content: text.replace(bos, '') }], markup: '', prefix: '' }
}

function textCauses(one: string, other: string, context: Context): Difference[] {
  const detail = sayChange(changeBetween(one, other))
  const { first, second } = context
  if (one.replace(bos, '') === other.replace(bos, '')) return [{ cause: 'BOS', detail }]
  const counts = [one, other].map((text) => (text.match(markup) ?? []).length)
  if (squeezed(one) === squeezed(other) && !isMarkupSpaced(one, other)) return [{ cause: 'whitespace', detail }]
  if (counts[0] !== counts[1] || counts[0]! > 0) {
    const [bare, otherBare] = [withoutMarkup(one), withoutMarkup(other)]
    if (squeezed(bare) === squeezed(otherBare)) return [{ cause: 'chat template', detail }]
    const [turns, otherTurns] = [renderedTurns(one), renderedTurns(other)]
    if (turns || otherTurns) {
      const causes = renderedCauses(turns ?? plainTurns(one), otherTurns ?? plainTurns(other), context)
      if (causes.length > 0) return causes
    }
    if (counts[0] === 0 || counts[1] === 0) return [{ cause: 'chat template', detail }, ...textCauses(bare, otherBare, context)]
  }
  if (
    first.choices &&
    second.choices &&
    !isSame(first.choices, second.choices) &&
    isSame([...first.choices].sort(), [...second.choices].sort())
  )
    return [{ cause: 'choice order', detail: 'the same choices in another order' }]
  if (squeezed(withoutLabels(one)) === squeezed(withoutLabels(other))) return [{ cause: 'choice labels', detail }]
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  const block = lastBlock(one)
  if (block === lastBlock(other) || context.hasOtherShots || long.endsWith(short)) {
    if (isReordered(one, other)) return [{ cause: 'shot order', detail: 'the same examples in another order' }]
    const isEnd = long.endsWith(short)
    const added = isEnd ? long.slice(0, long.length - short.length) : long
    if (isEnd && isCutInside(added, short)) return [{ cause: 'truncation', detail }]
    if (context.hasOtherShots || hasExamples(added, short)) return [{ cause: 'shots', detail }]
    if (isEnd) return [{ cause: 'instruction', detail }]
  }
  if (isReordered(one, other)) return [{ cause: 'shot order', detail: 'the same examples in another order' }]
  // With labels, the texts of choices move from one label to another.
  if (isReordered(withoutLabels(one), withoutLabels(other))) return [{ cause: 'choice order', detail }]
  const { start, first: was, second: now } = changeBetween(one, other)
  const ends = start + was.length >= one.trimEnd().length && start + now.length >= other.trimEnd().length
  const isAtEnd = ends && start > long.length / 2
  if (isCutAfter(short, long) || isCutOut(one, start, was, now)) return [{ cause: 'truncation', detail }]
  const isSentence = context.isTurn && /[.!?。！？]\s*$|(?:^|\s)\/\w+$/mu.test(`${was}\n${now}`)
  if (isAtEnd && !isSentence && Math.max(was.length, now.length) < 80) return [{ cause: 'answer prefix', detail }]
  // A text between the names of two roles: the template of a chat without special tokens.
  const [before, after] = long.split(short) as [string, string | undefined]
  return [{ cause: before !== '' && after !== undefined && roleAtEnd.test(after) ? 'chat template' : 'instruction', detail }]
}

/** What begins the lines of a question: `Question:`, `A.` */
function labels(text: string): string[] {
  return text.match(/^[^\s:：]{1,20}[:：]|^\(?[A-J][.)、]/gmu) ?? []
}

/** Whether a text has worked examples: the labels of the question (`Question:`, `A.`) with more lines than it could need itself. */
function hasExamples(text: string, question: string): boolean {
  const shared = [...new Set(labels(question))].filter((label) => text.split(label).length > 2)
  return shared.length > 0 || (/\b(?:examples?|示例|例子)\b/iu.test(text.slice(0, 200)) && text.split('\n').length > 4)
}

/** Whether a prompt was cut from the left: inside a word, or inside a line of an example. */
function isCutInside(lost: string, rest: string): boolean {
  if (lost.endsWith('\n')) return false
  // A line of an example lost its label, which other examples have.
  const label = labels(lost.split('\n').at(-1)!)[0]
  return (/\w$/u.test(lost) && /^\w/u.test(rest)) || hasExamples(lost, rest) || (label !== undefined && labels(rest).includes(label))
}

/** Whether a prompt was cut from the right: inside a word, or before much of it. */
function isCutAfter(short: string, long: string): boolean {
  const lost = long.startsWith(short) ? long.slice(short.length) : ''
  return (/\w$/u.test(short) && /^\w/u.test(lost)) || lost.length >= 80
}

/** Whether much was cut out of the middle of a prompt, not by lines. */
function isCutOut(text: string, start: number, was: string, now: string): boolean {
  const lost = was === '' ? now : was
  return (was === '' || now === '') && lost.length >= 100 && !/(?:^|\n)$/u.test(text.slice(0, start)) && !lost.endsWith('\n')
}

const roleAtEnd = /(?:assistant|bot|response|model|gpt|助手)\W*$/iu

/** Whether the spaces in which two prompts differ are those of the template: the same turns, with the same end. */
function isMarkupSpaced(one: string, other: string): boolean {
  const spaceAtEnd = (text: string) => /\s*$/u.exec(text)![0]
  const turns = [one, other].map((text) => renderedTurns(text)?.turns)
  return turns[0] !== undefined && isSame(turns[0], turns[1]) && spaceAtEnd(one) === spaceAtEnd(other)
}

/** Whether two texts have the same lines in another order. */
function isReordered(one: string, other: string): boolean {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  return one !== other && isSame(lines(one).sort(), lines(other).sort())
}

function lastBlock(text: string): string {
  return text
    .trimEnd()
    .split(/\n\s*\n/)
    .at(-1)!
    .trim()
}

function joined(turns: readonly WhyTurn[]): string {
  return turns.map(({ content }) => content).join('\n')
}

function sortedTexts(turns: readonly WhyTurn[]): string {
  return JSON.stringify(turns.map(({ content }) => content).sort())
}

function plainText(prompt: string | readonly WhyTurn[]): string {
  return typeof prompt === 'string' ? withoutMarkup(prompt) : joined(prompt)
}

function withoutMarkup(text: string): string {
  return text
    .replace(/(<\|(?:im_start|start_header_id)\|>|<start_of_turn>)(?:system|user|assistant|model)\b/gu, '$1')
    .replace(markup, '\n')
    .replace(roleNames, '')
    .replace(/\n{2,}(?=\s*$)/u, '')
}

function withoutLabels(text: string): string {
  return text.replace(/^\s*(?:\(?[A-Ja-j1-9][.)、:：]|[-*•])\s*/gmu, '')
}

function squeezed(text: string): string {
  return text.replace(/\s+/gu, '')
}

function isSameHarness([one, other]: readonly [WhySide, WhySide]): boolean {
  return one.setup.harness === other.setup.harness
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
