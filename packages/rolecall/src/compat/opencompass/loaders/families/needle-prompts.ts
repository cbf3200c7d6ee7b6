// The prompts of NeedleBench, versions 1 and 2.

export type NeedlePrompt = { language: string; position: string; context: string; question: string; lastPerson?: string }

/** What differs between the three kinds: one needle, several questions, a chain of relatives. */
export type NeedleKind = 'one' | 'parallel' | 'chain'

const helper = {
  Chinese: '你是一个善于回答用户问题的智能AI助手\n请保持你的回答简洁清楚。不要说和下面文档中的无关的话，或重复你的回答\n',
  English:
    'You are an intelligent AI assistant skilled in answering user questions.\nPlease keep your answers concise and clear. Do not talk about irrelevant topics or repeat your answers.\n',
}

/** Version 1. With the question at the start, the Chinese prompt for one needle is a pair of texts: a stray comma in the reference. */
export function promptOfVersion1({ language, position, context, question }: NeedlePrompt, kind: NeedleKind): string | string[] {
  const isStart = position === 'Start'
  if (language === 'Chinese' && kind === 'parallel') {
    const head = `${helper.Chinese}请先仔细阅读下面的文档再依次回答最后提出的问题\n`
    return isStart
      ? `${head}现在请问：${question}\n\n用户现在给你的文档是${context}\n`
      : `${head}用户现在给你的文档是${context}\n\n现在请问：${question}\n`
  }
  if (language === 'Chinese') {
    const [asked, given] = [`现在请问：${question}`, `用户现在给你的文档是${context}\n\n`]
    return isStart ? [helper.Chinese + asked, given] : helper.Chinese + given + asked
  }
  if (kind === 'parallel')
    return isStart
      ? `${helper.English}\nNow, the questions are: ${question}\n\nThe document given to you by the user is ${context}`
      : `${helper.English}The document given to you by the user is ${context}\n\nNow, the questions are: ${question}\n`
  const [asked, given] = [`Now, the question is: ${question}`, `The document given to you by the user is ${context}\n\n`]
  return helper.English + (isStart ? asked + given : given + asked)
}

/** Version 2: the document in tags. */
export function promptOfVersion2(prompt: NeedlePrompt, kind: NeedleKind): string {
  const { context, question } = prompt
  const notes = kind === 'chain' ? chainNotes(prompt) : ''
  if (prompt.language === 'Chinese') {
    const manner = kind === 'parallel' ? '，依次' : ''
    return prompt.position === 'Start'
      ? `这是一个长文本能力的测试，你需要首先阅读下面的问题，然后根据最后长文档中的信息${manner}回答下面的问题。\n现在请问：${question}\n\n${notes}长文档内容的如下\n\n<文档>\n${context}\n</文档>\n\n`
      : `这是一个长文本能力的测试，你需要首先阅读下面的长文档，然后根据文档中的信息${manner}回答最后的问题。\n长文档的内容如下\n\n<文档>\n${context}\n</文档>\n\n根据文档中的信息，现在请问：${question}\n${notes === '' ? '' : `\n${notes}`}`
  }
  const test = 'This is a test of long-text capability. You need to first read the '
  const [those, them, these] =
    kind === 'parallel' ? ['questions', 'them one by one', 'questions one by one'] : ['question', 'it', 'question']
  return prompt.position === 'Start'
    ? `${test}${those} below, and then answer ${them} based on the information in the long document that follows.\nNow please answer: ${question}\n\n${notes}The content of the long document is as follows\n\n<Document>\n${context}\n</Document>\n\n`
    : `${test}long document below, and then answer the final ${these} based on the information in the document.\nThe content of the long document is as follows\n\n<Document>\n${context}\n</Document>\n\nBased on the information in the document, now please answer: ${question}\n${notes === '' ? '' : `\n${notes}`}`
}

function chainNotes({ language, lastPerson = '' }: NeedlePrompt): string {
  return language === 'Chinese'
    ? `例如：
例子1.如果张强的父亲是马克，除此以外提供的文本中没有更多关于亲属关系的信息，那么在提供的文本中张强能够向上追溯到的最年长的亲人就是马克。
例子2.如果李明的姥姥是张红，而张红的父亲是张强，除此以外提供的文本中没有更多关于亲属关系的信息，那么在提供的文本中李明能够向上追溯到的最年长的亲人就是张强。
例子3.如果小明是张红的曾孙女，张红的祖母是王华，王华的父亲是王刚，除此以外提供的文本中没有更多关于亲属关系的信息，那么小明能够向上追溯到的最年长的亲人就是王刚。

注意：
1. 你不必纠结这个测试中的人名的性别关系，例如，一个通常被视为女性化的名字仍然可以是其他人的父亲，我们的重点是谁更年长。
2. 忽略这个测试中的姓氏遗传问题，例如，李明仍然可能是王鹏的亲生父亲，我们只关注谁更年长，不必纠结孩子是否应该继承父亲或母亲的性别。
3. 在回答的最后，将你的答案放在\\boxed{}中，例如：“所以${lastPerson}能向上追溯到的最年长的亲人就是\\boxed{（你的答案）}”

`
    : `For example:
Example 1: If James Hill's father is Jasmine Lane, and no further information about familial relationships is provided in the text, then the oldest relative James Hill can trace back to in the provided text is \\boxed{Jasmine Lane}.
Example 2: If Andrew Williams's grandmother is Dan Newton, and Dan Newton's father is James Hill, and no further information about familial relationships is provided in the text, then the oldest relative Andrew Williams can trace back to in the provided text is \\boxed{James Hill}.
Example 3: If Jeff White's father is Kevin Le, Dan Newton's grandmother is Jeff White, and Jeff White's father is Kevin Le, and Shelley Mills is Dan Newton's great-granddaughter, and no further information about familial relationships is provided in the text, then the oldest relative Shelley Mills can trace back to in the provided text is \\boxed{Kevin Le}.

Notes:
1. You do not need to worry about the gender consistency of names in this test. For example, a name that is typically considered feminine can still be the father of another person. Our primary focus is on who is older.
2. Ignore surname inheritance issues. For instance, Andrew Williams could still be the biological father of Christopher Baker. We only care about who is older and do not need to consider whether a child should inherit the father's or mother's surname.
3. At the end of your response, remember to put your final answer within \\boxed{}. For example: "So the oldest relative '${lastPerson}' can trace back to in the provided text is \\boxed{(your answer here)}."

`
}
