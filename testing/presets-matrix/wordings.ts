/** The kind of answer: how it is parsed decides how it is worded. */
export type AnswerKind = 'choice' | 'number' | 'closed' | 'free' | 'code' | 'chat'

/** A row's correct answer, a wrong one, and what else wordings need. */
export type Golds = { kind: AnswerKind; right: string; wrong: string; text: string; isChinese: boolean; prompt: string; next: string }

/** A wording of an answer, and the expected result. */
export type Wording = { name: string; comesTo: 'right' | 'wrong' | 'not read'; write(golds: Golds): string | undefined }

const code = ({ prompt, right }: Golds) => `${prompt}${right}`
const fenced = (text: string) => `\`\`\`python\n${text}\n\`\`\``
const margin = (text: string) => text.replace(/^ {4}/gm, '')

/** Code has no announcement: it is in a block, or continues the function. */
const wordedCode: Readonly<Record<string, (golds: Golds) => string>> = {
  boxed: (golds) => fenced(code(golds)),
  bold: ({ right }) => fenced(right),
  heading: (golds) => `### Solution\n\n${fenced(code(golds))}`,
  announced: (golds) => `Sure! Here is the function:\n\n${fenced(code(golds))}\n\nIt does what is asked.`,
  final: (golds) => code(golds),
  'with more': ({ right }) => margin(right),
  reasoned: (golds) => `First we look at \`x\`. Then:\n\n${fenced(code(golds))}`,
  corrected: (golds) => fenced(code(golds)).replaceAll('\n', '\r\n'),
  thought: (golds) => `<think>raise an error?</think>\n${fenced(code(golds))}`,
}

const worded: Readonly<Record<string, (golds: Golds) => string>> = {
  boxed: ({ kind, right }) =>
    kind === 'number' ? `So it is $\\boxed{${right}}$.` : `So it is $\\boxed{\\text{${right.replace(/[{}]/g, '\\$&')}}}$.`,
  bold: ({ kind, right, text }) => (kind === 'choice' ? `**${right})** ${text}` : `**${right}**`),
  heading: ({ right }) => `We look at it closely.\n\n### Answer\n\n${right}`,
  announced: ({ right, isChinese }) => (isChinese ? `经过分析，答案是${right}。` : `The answer is ${right}.`),
  final: ({ right }) => `Let us think.\n\n**Final answer:** ${right}`,
  'with more': ({ kind, right, text }) => {
    if (kind === 'choice') return `${right}. ${text}`
    if (kind === 'number') return `The answer is $${right}.00, since there are 3 of them.`
    return kind === 'closed' ? `${right}, as one can see.` : `So the answer is "${right}".`
  },
  reasoned: ({ kind, right, wrong, isChinese }) => {
    if (kind !== 'choice') return `One might say ${wrong}, which would be too easy.\nSo the answer is ${right}.`
    return isChinese
      ? `${wrong}项错误，不符合题意。故选${right}。`
      : `(${wrong}) is incorrect: it is too small. So the correct option is (${right}).`
  },
  corrected: ({ right, wrong }) => `The answer is ${wrong}. Wait, that is wrong: the answer is ${right}.`,
  thought: ({ right, wrong }) => `<think>I believe the answer is ${wrong}. Or not.</think>\n\n${right}`,
}

const undecided: Readonly<Record<AnswerKind, string>> = {
  choice: 'It could be A, B, C or D.',
  number: 'One would have to know how many there are.',
  closed: 'It is hard to say whether that is so.',
  free: 'We look at the first.\nThen we look at the second, and so on.',
  code: 'One would write a loop over all of them.',
  chat: '',
}

/** The correct answer, a wrong one, and twelve messy wordings: nine correct ones, and three without an answer. */
export const wordings: readonly Wording[] = [
  { name: 'gold', comesTo: 'right', write: ({ kind, right }) => (kind === 'number' ? `#### ${right}` : right) },
  { name: 'wrong', comesTo: 'wrong', write: ({ kind, wrong }) => (kind === 'number' ? `#### ${wrong}` : wrong) },
  ...Object.keys(worded).map((name): Wording => {
    const write = (golds: Golds) => (golds.kind === 'chat' ? undefined : (golds.kind === 'code' ? wordedCode : worded)[name]!(golds))
    return { name, comesTo: 'right', write }
  }),
  { name: 'refused', comesTo: 'not read', write: notOfChats(() => 'As an AI language model, I cannot answer this question.') },
  { name: 'cut thought', comesTo: 'not read', write: ({ right }) => `<think>I believe the answer is ${right}, but` },
  { name: 'undecided', comesTo: 'not read', write: notOfChats(({ kind }) => undecided[kind]) },
]

/** A chat is correct if the whole text is: any text is parsed. */
function notOfChats(write: (golds: Golds) => string): Wording['write'] {
  return (golds) => (golds.kind === 'chat' ? undefined : write(golds))
}

/** A base model's plain text: the answer, followed by an invented question. */
export const nextQuestion: Wording = {
  name: 'base',
  comesTo: 'right',
  write({ kind, right, wrong, next }) {
    if (kind === 'chat') return undefined
    if (kind === 'code') return `${right}\ndef other():\n    raise ValueError\nprint(other())\n`
    if (kind === 'choice')
      return `${right}\n${next}What else?\nA. 1\nB. 2\nC. 3\nD. 4\n${next.includes('Q') ? 'Answer' : '答案'}: \n${wrong}`
    if (kind === 'number' && next !== 'Q: ') return `So it is that.\n#### ${right}\n\n${next}How many then?\nAnswer:\n#### ${wrong}`
    return `So the answer is ${right}.\n\n${next}And then?\nA: Let's think step by step.\nSo the answer is ${wrong}.`
  },
}
