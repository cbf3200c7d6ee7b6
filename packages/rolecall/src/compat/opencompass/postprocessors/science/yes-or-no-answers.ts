import { floatOf, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { notFound } from '../../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern, search } from '../../../../python/regex/index.ts'
import { afterFinishedThinking, afterThinking, withoutEndTokens, withoutThinkElements } from '../thoughts.ts'

const [yes, no] = ['<BOOLEAN> Yes </BOOLEAN>', '<BOOLEAN> No </BOOLEAN>']

export const smolInstruct = definePostprocessor({
  names: ['smolinstruct-acc', 'smolinstruct_acc_postprocess'],
  does: 'Yes where "yes" occurs anywhere, else No where "no" does, as SMolInstruct writes it; nothing where neither occurs.',
  example: { answer: 'Yes, it does.', becomes: yes },
  finds: true,
  process(text) {
    const said = text.toLowerCase()
    return said.includes('yes') ? yes : said.includes('no') ? no : notFound(null)
  },
})

/** How an answer is marked, in the order of the reference's checks. */
const marks = [
  String.raw`\\boxed\{\s*(yes|no)\s*\}`,
  String.raw`[Th]he\s+answer\s+is\s*[\.:\'"“‘’\-]*\s*(yes|no)[\s\.,!?:;\'"”’\-]*`,
  String.raw`[Aa]nswer:\s*(yes|no)\b`,
  String.raw`\*\*[Aa]nswer:\*\*\s*(yes|no)\b`,
  String.raw`\*\*[Aa]nswer\*\*:\s*(yes|no)\b`,
  String.raw`<BOOLEAN>\s*(yes|no)\s*</BOOLEAN>`,
  String.raw`<\|begin_of_box\|>\s*(yes|no)\s*<\|end_of_box\|>`,
  String.raw`^\s*(yes|no)[\.\?!]?\s*$`,
]

export const smolInstructZeroShot = definePostprocessor({
  names: ['smolinstruct-acc-0shot', 'smolinstruct_acc_0shot_postprocess'],
  does: 'Yes or No as SMolInstruct writes it: alone, in a box, after "answer", or at one of the ends of the answer.',
  example: { answer: 'It has two rings. Answer: no', becomes: no },
  finds: true,
  process(text) {
    const said = strip(text.split('</think>').at(-1)!)
    const lower = said.toLowerCase()
    const marked = marks.map((mark) => guardedPattern(mark, { ignoreCase: true }).first(said)).find(Boolean)
    if (marked) return marked.groups[0]!.toLowerCase() === 'yes' ? yes : no
    if (lower.startsWith('yes') || lower.endsWith('yes')) return yes
    return lower.startsWith('no') || lower.endsWith('no') ? no : notFound()
  },
})

const negative = ['negative', 'no', 'absence', 'not', 'cannot', 'fails', 'absent', 'lacks']
const positive = [
  ...['positive', 'positively', 'presence', 'detected', 'identified', 'identifiable', 'found', 'yes', 'located', 'detectable'],
  ...['observable', 'evident', 'absolutely', 'affirmative', 'can', 'affirm', 'confirm', 'confirms', 'reveals', 'existence'],
  ...['certainly', 'consistent', 'recognizable', 'shows core', 'shows promoter', 'shows characteristic', 'evidenced by'],
  ...['seeing characteristic patterns', 'includes', 'contains sequences', 'exhibits clear', 'contains transcription'],
  ...['exhibits sequences', 'clearly contains', 'recognized', 'exhibits features', 'contains regulatory', 'shows clear'],
  ...['displays', 'definitely has', 'exhibits patterns', 'clear evidence', 'contains a', 'yep', 'contains sites', 'shows sequences'],
]
const anyOf = (words: readonly string[]) => String.raw`\b(?:${words.join('|')})\b`

export const gue = definePostprocessor({
  names: ['GUE_postprocessor'],
  does: '"positive" or "negative": what follows "The prediction result is", else by words that affirm or deny, those that deny first.',
  example: { answer: 'A promoter was detected here.', becomes: 'positive' },
  finds: true,
  process(text) {
    const said = afterFinishedThinking(strip(text))
    const result = search(String.raw`\bThe prediction result is\s+(positive|negative)\b`, said, { ignoreCase: true })
    if (result) return result[1]!.toLowerCase()
    if (search(anyOf(negative), said, { ignoreCase: true })) return 'negative'
    return search(anyOf(positive), said, { ignoreCase: true }) ? 'positive' : notFound()
  },
})

const affirms = [
  ...['will be soluble', 'will dissolve', 'is soluble', 'can be predicted', 'positive', 'yes', 'correct', 'valid', 'accurate'],
  ...['certainly', 'indeed', 'affirmative', 'highly soluble', 'easily soluble', 'dissolves easily', 'is assured', 'be soluble'],
]
const denies = [
  ...['will not be soluble', 'is not soluble', 'will not dissolve', 'low', 'cannot be predicted', 'negative', 'no', 'incorrect'],
  ...['invalid', 'inaccurate', 'impossible', 'not possible', 'denied', 'be insoluble'],
]
const says = (text: string, phrases: readonly string[]) => search(phrases.join('|'), text, { ignoreCase: true }) !== null

export const peer = definePostprocessor({
  names: ['PEER_postprocess'],
  does: 'Yes or No: what follows "The answer is", else by phrases that affirm or deny, those that affirm first ("incorrect" has "correct" in it).',
  example: { answer: 'The protein will dissolve.', becomes: 'Yes' },
  finds: true,
  process(text) {
    const said = afterThinking(text)
    const announced = search(String.raw`The answer is\s+(Yes|No)`, said, { ignoreCase: true })
    if (announced) return announced[1]!
    return says(said, affirms) ? 'Yes' : says(said, denies) ? 'No' : notFound()
  },
})

export const peerDefault = definePostprocessor({
  names: ['PEER_postprocess_default'],
  does: 'The answer without what the model thought and without tokens that end a text.',
  example: { answer: '<think>…</think>Yes<|im_end|>', becomes: 'Yes' },
  process: (text) => withoutThinkElements(withoutEndTokens(strip(text))),
})

export const peerNumber = definePostprocessor({
  names: ['PEER_postprocess_float_compare'],
  does: 'Yes where the first number is greater than `compare_number`, else No.',
  example: { options: { compare_number: 1 }, answer: 'The stability is 1.25.', becomes: 'Yes' },
  options: z.strictObject({ compare_number: z.number().describe('What the number of the answer is compared with.') }),
  finds: true,
  process(text, { compare_number: limit }) {
    const found = guardedPattern(String.raw`[-+]?\d*\.\d+|\d+`).first(afterThinking(text))
    if (!found) return notFound()
    return floatOf(found.text)! > limit ? 'Yes' : 'No'
  },
})
