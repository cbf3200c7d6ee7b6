/** What a column is for. */
export type ColumnUse = 'question' | 'context' | 'system' | 'choices' | 'gold' | 'tools' | 'chat' | 'id' | 'unused'

/** Column names without case, spaces and punctuation, the most likely first. */
const names = {
  question: `question questiontext questionstem questioncontent query problem problemstatement prompt userprompt userinput usermessage input inputs
    instruction ask stem goal ctx statement hypothesis claim sentence utterance review text q
    问题 题目 题干 试题 题目内容 问题内容 提问 问句 输入 指令 文本 句子 题`,
  context: `context passage article document background paragraph story support supportingtext facts fact premise evidence dialogue dialog essay table
    材料 背景 文章 上下文 段落 原文 阅读材料 文段 篇章 前提 对话`,
  system: 'system systemprompt systemmessage 系统提示 系统提示词 系统',
  choices: `choices options endings choice option candidates alternatives answerchoices answeroptions answercandidates multiplechoices
    选项 选择 备选答案 候选答案 备选项 候选项 选项列表`,
  gold: `answer answerkey answers answeridx answerindex answerid answerletter correctanswer correctanswers correct correctoption correctchoice
    correctindex correctidx correctanswerindex rightanswer rightoption goldanswer goldlabel gold goldindex groundtruth truth ideal expected expectedanswer
    expectedoutput bestanswer finalanswer finaldecision reference references referenceanswer target targets label labels labelidx cop ans key output
    response reply completion solution canonicalsolution chosen translation summary highlights a y
    答案 正确答案 标准答案 参考答案 正确选项 正确项 正解 标签 回答 回复 输出 结果 目标 解答`,
  /** Prefixes of numbered or lettered option columns. */
  series:
    'option options opt op choice choices ending answer ans answerchoice answeroption sol solution alternative candidate mcoption 选项 选择 备选 候选 备选答案',
  tools: 'tools functions toolschemas availabletools 工具',
  explanation: `explanation explanations rationale reasoning reason exp cot chainofthought analysis steps thought thoughts thinking hint hints notes
    reasoningcontent 解析 分析 解释 思路 解题过程 推理过程 提示 备注 说明`,
  id: 'id ids idx index ind uid uuid guid qid no pid sid rowid 序号 编号 题号 索引',
  /** FileColumns that describe a row. */
  about: `subject category categories topic level difficulty type source url link split language lang date year month domain task taskname name title author
    version dataset datasetname license grade subtopic subtask section chapter exam field group topicname subjectname choicetype questiontype unit
    metadata meta info timestamp created model
    学科 科目 难度 来源 类型 题型 知识点 章节 年级 分类 领域 主题 语言 时间 日期 年份 标题 作者 链接 省份 类别`,
  /** Gold columns whose numbers are classes, not results of a calculation. */
  classes: 'label labels goldlabel labelidx class target targets y 标签',
  code: 'entrypoint testlist testcases tests unittests testsetupcode',
} as const

type Group = keyof typeof names

// `fromEntries` forgets which keys there are.
const sets = Object.fromEntries(Object.entries(names).map(([group, text]) => [group, text.trim().split(/\s+/)])) as {
  [key: string]: readonly string[]
} as Readonly<Record<Group, readonly string[]>>

/** The last part of a path, without case, spaces and punctuation: `data.Correct_Answer` is `correctanswer`. */
export function plainName(path: string): string {
  return path
    .slice(path.lastIndexOf('.') + 1)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** How likely a column is of a group: its place in the list of names; -1 if it is not in it. */
export function rankIn(group: Group, path: string): number {
  return sets[group].indexOf(plainName(path))
}

export function isNamed(group: Group, path: string): boolean {
  return rankIn(group, path) >= 0
}

/** Whether the name says that a column identifies the row. */
export function isIdName(path: string): boolean {
  const last = path.slice(path.lastIndexOf('.') + 1)
  return (
    last === '' ||
    /^unnamed:/i.test(last) ||
    isNamed('id', path) ||
    /(?:^|[\s_-])id$|[a-z]I[dD]$|编号$|序号$/i.test(last.replace(/([a-z])I[dD]$/, '$1_id'))
  )
}

/** Wrong answers in columns apart from the right one. */
export function isWrongAnswerName(path: string): boolean {
  return /^(?:distractor|incorrect|wrong|false|rejected|negative|错误|干扰)/.test(plainName(path))
}

/**
 * Option columns: `A B C D`, `option1 option2`, `opa opb opc opd`, `选项A 选项B`, in their order; undefined if there are none.
 * @example optionSeries(['id', 'opb', 'opa', 'cop']) // => ['opa', 'opb']
 */
export function optionSeries(paths: readonly string[]): string[] | undefined {
  const groups = new Map<string, Map<number, string>>()
  for (const path of paths) {
    const [, prefix, mark] = /^(.*?)(\d{1,2}|[a-j])$/.exec(seriesName(path)) ?? []
    if (prefix === undefined || (prefix !== '' && !sets.series.includes(prefix))) continue
    // A column "1" is no option; "A" is.
    if (prefix === '' && /\d/.test(mark!)) continue
    const number = /\d/.test(mark!) ? Number(mark) : mark!.charCodeAt(0) - 97
    const kind = `${prefix} ${/\d/.test(mark!) ? 'number' : 'letter'}`
    groups.set(kind, (groups.get(kind) ?? new Map<number, string>()).set(number, path))
  }
  const found = [...groups.values()].map(consecutive).filter((series) => series.length > 1)
  return found.toSorted((a, b) => b.length - a.length)[0]
}

/** `options.1` is `options1`. */
function seriesName(path: string): string {
  const name = plainName(path)
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
  return parent !== '' && /^(?:\d{1,2}|[a-j])$/.test(name) ? `${plainName(parent)}${name}` : name
}

/** The columns numbered from 0 or 1 without a gap. */
function consecutive(numbered: ReadonlyMap<number, string>): string[] {
  const first = numbered.has(0) ? 0 : 1
  const series: string[] = []
  for (let number = first; numbered.has(number); number++) series.push(numbered.get(number)!)
  return series
}
