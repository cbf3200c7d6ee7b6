import type { PyValue } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import type { Loader } from '../loader.ts'
import { at, integer, listAt, lookUp, pop, type RowDict, row, set, textAt, textOf } from '../row-values.ts'
import { oneFile } from '../simple.ts'
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
export const boolQ2 = labelled({ true: 'A', false: 'B' })
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

/** 1 if the label is the text "true". */
function truth(entry: RowDict): number {
  return at(entry, 'label') === 'true' ? 1 : 0
}

export const boolQ = mapped((entry) => set(entry, { answer: truth(entry) }))

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

export const tnews = mapped((entry) => set(entry, { label_desc2: lookUp(newsTopics, at(entry, 'label_desc')) }))

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
export const wsc3 = mentions(marked)

export const anli = labelled({ c: 'A', e: 'B', n: 'C' }, { takes: ['path'] })
