import type { PyValue } from '@rolecall/core/internal/python'
import { fail, get, isTrue, type RowDict, textOf } from '../row-values.ts'

/** What a kind of answer is called in the two languages of OlympiadBench. */
const kinds = {
  Numerical: ['数值', 'a numerical value'],
  Expression: ['表达式', 'an expression'],
  Equation: ['方程', 'an equation'],
  Interval: ['区间', 'an interval'],
} as const

function kindOf(type: string, isChinese: boolean): string {
  const whole = type.split('-')[0]!
  const kind = Object.keys(kinds).find((name) => whole.includes(name)) as keyof typeof kinds | undefined
  return kind ? kinds[kind][isChinese ? 0 : 1] : fail(`"${type}" is not a type of answer`)
}

function aboutAnswers(type: string, isChinese: boolean, hasSeveral: boolean): string {
  if (/Need_human_evaluate|Tuple/.test(type)) return ''
  if (!hasSeveral) {
    const kind = kindOf(type, isChinese)
    return isChinese ? `，答案类型为${kind}` : `The answer of The problem should be ${kind}. `
  }
  const each = type.split(',').map((one) => kindOf(one, isChinese))
  if (new Set(each).size === 1)
    return isChinese ? `，题目有多个答案，答案类型均为${each[0]}` : `The problem has multiple answers, each of them should be ${each[0]}. `
  return isChinese
    ? `，题目有多个答案，答案类型分别为${each.join('、')}`
    : `The problem has multiple answers, with the answers in order being ${each.join(', ')}. `
}

/** The prompt that OpenCompass's OlympiadBenchTemplate writes for a row. */
export function olympiadPrompt(row: RowDict): string {
  const text = (name: string, otherwise = '') => textOf(get(row, name, otherwise))
  const is = (name: string) => isTrue(get(row, name) as PyValue)
  const [isChinese, isMath, isProof] = [
    text('language', 'English') === 'Chinese',
    text('subject', 'Math') === 'Math',
    text('question_type') === 'Theorem proof',
  ]
  const about = isProof ? '' : aboutAnswers(text('answer_type'), isChinese, is('is_multiple_answer'))
  const instruction = (isChinese ? inChinese : inEnglish)({
    isMath,
    isProof,
    about,
    hasSeveral: is('is_multiple_answer'),
    hasUnit: is('unit'),
  })
  const steps = isChinese
    ? '请通过逐步推理来解答问题，并把最终答案放置于\\boxed{}中。'
    : 'Please reason step by step, and put your final answer within \\boxed{}.'
  return `${instruction}\n${text('problem')}\n\n${steps}`
}

type Asked = { isMath: boolean; isProof: boolean; about: string; hasSeveral: boolean; hasUnit: boolean }

function inChinese({ isMath, isProof, about, hasSeveral, hasUnit }: Asked): string {
  const subject = isMath ? '数学' : '物理'
  if (isProof)
    return `以下是中国${subject}竞赛中的证明题。请根据题目的要求，运用逻辑推理及常用定理证明题目中的命题。证明过程中使用的变量和公式请使用LaTeX格式表示。`
  const box = `\\boxed{${hasSeveral ? '用英文逗号连接的多个答案' : '答案'}}${hasUnit ? '(单位)' : ''}`
  const unit = hasUnit ? '，注意答案的单位不要放在\\boxed{}中' : ''
  return `以下是中国${subject}竞赛中的解答题${about}。请根据题目的要求和所提供的信息计算得出答案。解答过程和结果中使用的变量和公式请使用LaTeX格式表示。请在最后以"所以最终答案是${box}。"显式给出结果${unit}。`
}

function inEnglish({ isMath, isProof, about, hasSeveral, hasUnit }: Asked): string {
  const subject = isMath ? 'Math' : 'Physics'
  if (isProof)
    return `The following is a theorem proving problem from an International ${subject} competition. Please use logical reasoning and common theorems to prove the proposition in the problem according to the given requirements. Please use LaTeX format to represent the variables and formulas used in the proof.`
  const box = `\\boxed{${hasSeveral ? 'multiple answers connected with commas' : 'answer'}}${hasUnit ? '(unit)' : ''}`
  const unit = hasUnit ? ', note that the unit of the answer should not be included in \\boxed{}' : ''
  return `The following is an open-ended problem from an International ${subject} competition. ${about}Please calculate the answer according to the given requirements and the information provided. Please use LaTeX format to represent the variables and formulas used in the solution process and results. Please end your solution with "So the final answer is ${box}." and give the result explicitly${unit}.`
}
