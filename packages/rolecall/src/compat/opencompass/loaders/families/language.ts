import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import type { Loader } from '../loader.ts'
import { at, integer, letter, listAt, listOf, lookUp, pop, type RowDict, row, set, textAt, textOf } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { fromList } from '../table.ts'
import { mapped } from './plain.ts'

/** Rows whose label becomes a letter. */
function labelled(letters: Readonly<Record<string, string>>, settings: { skip?: string; takes?: string[]; split?: string } = {}): Loader {
  return oneFile({
    ...(settings.split === undefined ? {} : { hub: { split: settings.split } }),
    takes: settings.takes ?? ['path', 'local_mode?'],
    change(entry) {
      const label = at(entry, 'label')
      if (settings.skip !== undefined && label === settings.skip) return []
      return set(entry, { label: lookUp(letters, label) })
    },
  })
}

export const ax2 = labelled({ entailment: 'A', not_entailment: 'B' })
export const boolQ2 = labelled({ true: 'A', false: 'B' })
export const cb2 = labelled({ contradiction: 'A', entailment: 'B', neutral: 'C' })
export const cmnli2 = labelled({ entailment: 'A', contradiction: 'B', neutral: 'C' }, { skip: '-', split: 'dev' })

export const cmnli = oneFile({
  takes: ['path', 'local_mode?'],
  hub: { split: 'dev' },
  change: (entry) => (at(entry, 'label') === '-' ? [] : entry),
})

/** The label is the index of its letter. */
const numbered = oneFile({
  takes: ['path', 'local_mode?'],
  hub: { split: 'dev' },
  change: (entry) => set(entry, { label: at('AB', integer(at(entry, 'label'))) }),
})
export const afqmc2 = numbered
export const copa2 = numbered

export const summedits2 = oneFile({
  hub: { split: 'train' },
  change: (entry) => set(entry, { label: at('BA', at(entry, 'label') as number) }),
})

/** Drops the passage's title and capitalizes the question. */
export const boolQ3 = oneFile({
  localMode: true,
  change(entry) {
    const passage = textAt(entry, 'passage')
    const question = textAt(entry, 'question')
    const [first = ''] = question
    return set(entry, {
      passage: passage.split(' -- ').slice(1).join(' -- '),
      question: first.toUpperCase() + question.slice(first.length),
    })
  },
})

/** 1 if the label is the text "true". */
function truth(entry: RowDict): number {
  return at(entry, 'label') === 'true' ? 1 : 0
}

export const boolQ = mapped((entry) => set(entry, { answer: truth(entry) }))

export const eprstmt2 = oneFile({
  change: (entry) => row({ sentence: at(entry, 'sentence'), label: lookUp({ Positive: 'A', Negative: 'B' }, at(entry, 'label')) }, entry),
})

export const csl = mapped((entry) =>
  set(entry, {
    keywords: listAt(entry, 'keyword')
      .map((one) => textOf(one))
      .join('，'),
  }),
)

export const csl2 = oneFile({
  change: (entry) =>
    row(
      {
        abst: at(entry, 'abst'),
        keywords: listAt(entry, 'keyword')
          .map((one) => textOf(one))
          .join('，'),
        label: at('AB', integer(at(entry, 'label'))),
      },
      entry,
    ),
})

const idiom = '#idiom#'

export const chid = mapped((entry) => {
  const content = textAt(entry, 'content')
  listAt(entry, 'candidates').forEach((candidate, index) => {
    entry.set(
      `content${index}`,
      content.replaceAll(idiom, () => textOf(candidate)),
    )
  })
  return entry
})

export const chid2 = oneFile({
  change(entry) {
    const answer = at(entry, 'answer')
    if (typeof answer !== 'number') throw new BadData('the answer is not a number')
    const found = row({ content: textAt(entry, 'content').replaceAll(idiom, '______') }, entry)
    listAt(entry, 'candidates').forEach((candidate, index) => {
      found.set(letter(index), candidate)
    })
    return set(found, { answer: at('ABCDEFG', answer) })
  },
})

const newsTopics: Record<string, string> = {
  news_agriculture: '农业新闻',
  news_travel: '旅游新闻',
  news_game: '游戏新闻',
  news_tech: '科技类别公司新闻',
  news_sports: '体育类别新闻',
  news_edu: '初升高教育新闻',
  news_entertainment: '娱乐圈新闻',
  news_finance: '投资资讯',
  news_military: '军事类别常识',
  news_car: '车辆新闻',
  news_house: '楼市新闻',
  news_world: '环球不含中国类别新闻',
  news_culture: '书籍文化历史类别新闻',
  news_story: '故事类别新闻',
  news_stock: '股票市场类别新闻',
}
const newsLetters = Object.fromEntries(Object.keys(newsTopics).map((topic, index) => [topic, letter(index)]))

export const tnews = mapped((entry) => set(entry, { label_desc2: lookUp(newsTopics, at(entry, 'label_desc')) }))
export const tnews2 = oneFile({
  change: (entry) => row({ sentence: at(entry, 'sentence'), label_desc2: lookUp(newsLetters, at(entry, 'label_desc')) }, entry),
})

/** Replaces the second mention, a pronoun, with the first: by character, or by word. */
function mention(byWord: boolean): (entry: RowDict) => RowDict {
  return (entry) => {
    const target = pop(entry, 'target')
    const [first, second] = [textAt(target, 'span1_text'), textAt(target, 'span2_text')]
    if (byWord && second.includes(' ')) throw new BadData('the second mention has more than one word')
    const parts = byWord ? textAt(entry, 'text').split(' ') : [...textAt(entry, 'text')]
    const from = integer(at(target, 'span2_index'))
    return set(entry, {
      new_text: byWord ? replacedWord(parts, from, first) : replacedCharacters(parts, from, second, first),
      answer: truth(entry),
      span1: first,
      span2: second,
    })
  }
}

/** Marks the two mentions: * the first * and # the second #. */
function marked(entry: RowDict): string {
  const target = at(entry, 'target')
  const spans = [1, 2].map((number) => {
    const text = textAt(target, `span${number}_text`)
    const from = integer(at(target, `span${number}_index`))
    const sign = number === 1 ? '*' : '#'
    return { from, to: from + text.split(' ').length, shown: `${sign} ${text} ${sign}` }
  })
  return textAt(entry, 'text')
    .split(' ')
    .flatMap((word, index) => {
      const span = spans.find(({ from, to }) => index >= from && index < to)
      if (!span) return [word]
      return index === span.from ? [span.shown] : []
    })
    .join(' ')
}

function replacedWord(words: string[], from: number, word: string): string {
  if (from >= words.length) throw new BadData('the text has fewer words than span2_index says')
  return words.with(from, word).join(' ')
}

/** The pronoun's first character becomes the new text, its other characters are emptied. */
function replacedCharacters(characters: string[], from: number, old: string, text: string): string {
  const length = [...old].length
  if (from >= characters.length || from + length > characters.length) throw new BadData('the text is shorter than span2_index says')
  return characters.map((character, index) => (index === from ? text : index > from && index < from + length ? '' : character)).join('')
}

export const cluewsc = mapped(mention(false))
export const wsc = mapped(mention(true))

/** The two mentions, the text, and a letter for whether they are coreferent. */
function mentions(text: (entry: RowDict) => PyValue): Loader {
  return oneFile({
    change(entry) {
      const target = at(entry, 'target')
      const label = lookUp({ true: 'A', false: 'B' }, at(entry, 'label'))
      return row({ span1: at(target, 'span1_text'), span2: at(target, 'span2_text'), text: text(entry), label }, entry)
    },
  })
}

export const spans2 = mentions((entry) => at(entry, 'text'))
export const wsc3 = mentions(marked)

export const anli = labelled({ c: 'A', e: 'B', n: 'C' }, { takes: ['path'] })

function readingLoader(label: (value: PyValue) => PyValue): Loader {
  return oneFile({
    errors: 'ignore',
    change(entry) {
      const passage = at(entry, 'passage')
      return listAt(passage, 'questions').flatMap((question) =>
        listAt(question, 'answers').map((answer) =>
          row(
            {
              text: at(passage, 'text'),
              question: at(question, 'question'),
              answer: at(answer, 'text'),
              label: label(at(answer, 'label')),
            },
            entry,
          ),
        ),
      )
    },
  })
}

export const multiRc = readingLoader((label) => label)
export const multiRc2 = readingLoader((label) => at('BA', label as number))

function recordLoader(text: (passage: string) => string): Loader {
  return oneFile({
    errors: 'ignore',
    change(entry) {
      const passage = text(textAt(at(entry, 'passage'), 'text'))
      return listAt(entry, 'qas').map((question) =>
        row(
          {
            text: passage,
            question: textAt(question, 'query').replaceAll('@placeholder', '____'),
            answers: listAt(question, 'answers').map((answer) => at(answer, 'text')),
          },
          entry,
        ),
      )
    },
  })
}

export const record = recordLoader((text) => text.replaceAll('@highlight', ''))
export const record2 = recordLoader((text) => text.replaceAll('@highlight', '').replaceAll('\n\n', '\n'))

function c3Loader(
  separator: string,
  finish: (values: { content: string; question: PyValue; choices: PyValue[]; answer: number }) => RowDict,
): Loader {
  return {
    reads: 'a .json file of C3: a list of paragraphs, questions and id',
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path)
      const rows: RowDict[] = []
      for (const line of listOf(await data.json(path), path)) {
        const content = listOf(at(line, 0))
          .map((paragraph) => (isList(paragraph) ? paragraph.map((one) => textOf(one)).join('') : textOf(paragraph)))
          .join(separator)
        for (const question of listOf(at(line, 1))) {
          const choices = [...listAt(question, 'choice')]
          const answer = choices.indexOf(at(question, 'answer'))
          if (answer < 0) throw new BadData(`the answer ${pyStr(at(question, 'answer'))} is none of the choices`, path)
          rows.push(finish({ content, question: at(question, 'question'), choices, answer }))
        }
      }
      return fromList(rows)
    },
  }
}

export const c3 = c3Loader(' ', ({ content, question, choices, answer }) => {
  const four = [...choices, ...Array.from({ length: Math.max(0, 4 - choices.length) }, () => choices[0]!)]
  const [choice0, choice1, choice2, choice3] = four as [PyValue, PyValue, PyValue, PyValue]
  return row({ content, question, choice0, choice1, choice2, choice3, choices: four, label: answer })
})

export const c3Second = c3Loader('', ({ content, question, choices, answer }) => {
  const [choice0 = null, choice1 = '[NULL]', choice2 = '[NULL]', choice3 = '[NULL]'] = choices
  return row({ content, question, choice0, choice1, choice2, choice3, label: at('ABCD', answer) })
})
