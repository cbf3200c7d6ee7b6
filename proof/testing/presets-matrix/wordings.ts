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
  contrasted: (golds) => fenced(code(golds)).replaceAll('```', '~~~'),
  denied: (golds) => `${fenced(code({ ...golds, right: golds.wrong }))}\n\nWait, that raises an error:\n\n${fenced(code(golds))}`,
  'option text': (golds) => `${fenced(code(golds))}\n\nFor example:\n\n${fenced('print(1)')}`,
  'JSON-like': (golds) => `1. Read the arguments.\n2. Return the result.\n\n${fenced(code(golds))}\n`,
  polite: (golds) => `Of course! Here you are.\n\n${fenced(code(golds))}\n\nLet me know if you have any questions.`,
  tagged: (golds) => `<answer>\n${fenced(code(golds))}\n</answer>`,
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
  contrasted: ({ kind, right, wrong, isChinese }) => {
    if (kind === 'free') return `The answer is: ${right}`
    if (kind === 'number') return `It is not ${wrong}. The answer is ${right}.`
    return isChinese ? `正确答案不是${wrong}，而是${right}。` : `The correct answer is ${right}, not ${wrong}.`
  },
  denied: ({ kind, right, wrong, isChinese }) => {
    if (kind === 'choice')
      return isChinese
        ? `不选${wrong}。答案选${right}，因为它不违背题意。`
        : `It is not ${wrong}. Not at all. The answer is ${right}, no doubt.`
    return `I do not think that the answer is ${wrong}. The answer is ${right}.`
  },
  'option text': ({ kind, right, text }) => (kind === 'choice' ? `The answer is ${right}. ${text}` : `**Answer:** ${right}`),
  'JSON-like': ({ kind, right }) => (kind === 'free' ? `Answer = ${right}` : `{"answer": "${right}"}`),
  polite: ({ right }) => `Thank you for the question!\n\nThe answer is ${right}.\n\nLet me know if you have any questions.`,
  tagged: ({ right }) => `We look at it.\n<answer>${right}</answer>`,
}

const undecided: Readonly<Record<AnswerKind, string>> = {
  choice: 'It could be A, B, C or D.',
  number: 'One would have to know how many there are.',
  closed: 'It is hard to say whether that is so.',
  free: 'We look at the first.\nThen we look at the second, and so on.',
  code: 'One would write a loop over all of them.',
  chat: '',
}

/** The correct answer, a wrong one, and eighteen messy wordings: fifteen correct ones, and three without an answer. */
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
