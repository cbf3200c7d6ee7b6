import { PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { integer, type RowDict, row, textAt } from '../row-values.ts'
import { fromList } from '../table.ts'
import { circularRows, numberedChoices } from './circular.ts'

type Words = { terms: string[]; sentences: string[]; question: (last: string) => string; examples: string }

const languages: Record<string, Words> = {
  Chinese: {
    terms: ['父亲', '母亲', '爸爸', '妈妈', '爷爷', '奶奶', '姥姥', '姥爷', '外公', '外婆'],
    sentences: [
      '{A}是{B}的{R}。',
      '{B}的{R}是{A}。',
      '{A}作为{B}的{R}，对{B}的成长有重要影响。',
      '{A}不仅是{B}的{R}，还是{B}的榜样。',
      '{B}是{A}所生的孩子。',
      '{A}对{B}来说，不只是一个{R}，还是一个朋友。',
      '{A}在{B}的生命中扮演着{R}的角色。',
      '{B}把{A}视为其{R}。',
    ],
    question: (last) => `\n在上面提供的打乱的家族关系文本中，'${last}'的能够向上追溯到的最年长的亲人是谁？`,
    examples: `
例如：
例子1.如果张强的父亲是马克，除此以外提供的文本中没有更多关于亲属关系的信息，那么在提供的文本中张强能够向上追溯到的最年长的亲人就是马克。
例子2.如果李明的姥姥是张红，而张红的父亲是张强，除此以外提供的文本中没有更多关于亲属关系的信息，那么在提供的文本中李明能够向上追溯到的最年长的亲人就是张强。
例子3.如果小明是张红的曾孙女，张红的祖母是王华，王华的父亲是王刚，除此以外提供的文本中没有更多关于亲属关系的信息，那么小明能够向上追溯到的最年长的亲人就是王刚。
`,
  },
  English: {
    terms: [
      'father',
      'mother',
      'dad',
      'mom',
      'grandfather',
      'grandmother',
      'maternal grandmother',
      'maternal grandfather',
      'paternal grandfather',
      'paternal grandmother',
    ],
    sentences: [
      "{A} is {B}'s {R}.",
      "{B}'s {R} is {A}.",
      "{A}, as {B}'s {R}, has a significant impact on {B}'s upbringing.",
      "{A} is not only {B}'s {R} but also {B}'s role model.",
      '{B} is the child of {A}.',
      'For {B}, {A} is not just a {R}, but also a friend.',
      "{A} plays the role of {B}'s {R} in {B}'s life.",
      '{B} considers {A} as their {R}.',
    ],
    question: (last) =>
      `\nGiven the scrambled family relationships described above, who is the eldest relative that '${last}' can trace back to in the context?`,
    examples: `
For example:
Example 1: If Zhang Qiang's father is Mark, and no further information about familial relationships is provided in the text, then the oldest relative Zhang Qiang can trace back to in the provided text is Mark.
Example 2: If Li Ming's grandmother is Zhang Hong, and Zhang Hong's father is Zhang Qiang, and no further information about familial relationships is provided in the text, then the oldest relative Li Ming can trace back to in the provided text is Zhang Qiang.
Example 3: If Xiao Ming is Zhang Hong's great-granddaughter, Zhang Hong's grandmother is Wang Hua, and Wang Hua's father is Wang Gang, and no further information about familial relationships is provided in the text, then the oldest relative Xiao Ming can trace back to in the provided text is Wang Gang.`,
  },
}

/** The words of NeedleBench's second version, in which every sentence names the relationship. */
export const familyWords: Readonly<Record<'Chinese' | 'English', Pick<Words, 'terms' | 'sentences'>>> = {
  Chinese: {
    terms: languages.Chinese!.terms,
    sentences: [
      ...languages.Chinese!.sentences.slice(0, 4),
      '{A}在{B}的成长过程中，不仅仅是{B}的{R}，还是{B}的监护人。',
      '{A}对{B}来说，不只是一个{R}，还是一个朋友。',
    ],
  },
  English: {
    terms: languages.English!.terms,
    sentences: [
      ...languages.English!.sentences.slice(0, 4),
      "During {B}'s upbringing, {A} was not only {B}'s {R}, but also {B}'s guardian.",
      'For {B}, {A} is not just a {R}, but also a friend.',
      'For {B}, {A} is more than just a {R}; {A} is a lifelong mentor of {B}.',
    ],
  },
}

type Draw = { all: readonly string[]; count: number; repeats: number; words: Words; seed: number }

/** A loader for stories about relatives, with names from a file. */
function stories(rowsOf: (draw: Draw) => RowDict[], more: readonly string[] = []): Loader {
  return {
    reads: 'a folder with the file "file_name": language → names with commas between',
    takes: ['path', 'file_name', 'num_needles', 'language', 'repeats', ...more],
    async load(data, settings) {
      const path = joinPath(await data.path(settings.path), settings.text('file_name'))
      const language = settings.text('language')
      const all = textAt(await data.json(path), language).split(',')
      const [words, count, repeats] = [languages[language], integer(settings.get('num_needles')), integer(settings.get('repeats'))]
      if (!words) throw new BadData('"language" is neither Chinese nor English')
      if (count > all.length) throw new BadData(`there are only ${all.length} names`)
      return fromList(rowsOf({ all, count, repeats, words, seed: data.files.seed ?? 0 }))
    },
  }
}

/** Chains of relatives in random order: the choices of NeedleBench's ancestral trace challenge. */
export const ancestors = stories(
  ({ all, count, repeats, words }) => Array.from({ length: repeats }, (_, id) => choicesOf(all, count, id, words)).flat(),
  ['with_circular?'],
)

/** The same chains in order, as one question each. OpenCompass draws them without a seed. */
export const orderedAncestors = stories(({ all, count, repeats, words, seed }) => {
  const random = new PythonRandom(seed)
  return Array.from({ length: repeats }, () => {
    const { names, story } = chainOf(random, all, count, words)
    const prompt = `${story.join('')} ${words.question(names.at(-1)!)}${words.examples}`
    return row({ prompt, answer: `${names[0]}*${names[0]}` })
  })
})

function chainOf(random: PythonRandom, all: readonly string[], count: number, { terms, sentences }: Words) {
  const names = random.sample(all, count)
  const story: string[] = []
  for (let at = 0; at + 1 < names.length; at++) {
    const sentence = sentences[random.below(sentences.length)]!
    const term = terms[random.below(terms.length)]!
    story.push(
      sentence
        .replaceAll('{A}', () => names[at]!)
        .replaceAll('{B}', () => names[at + 1]!)
        .replaceAll('{R}', term),
    )
  }
  return { names, story }
}

function choicesOf(all: readonly string[], count: number, id: number, words: Words): RowDict[] {
  const random = new PythonRandom(id)
  const { names, story } = chainOf(random, all, count, words)
  // OpenCompass splits the story at the mark after each sentence, so an empty piece is shuffled, too.
  const shuffled = random.shuffle([...story, '']).join('')
  const last = names.at(-1)!
  if (names.length < 4)
    names.push(
      ...random.sample(
        all.filter((name) => !names.includes(name)),
        4 - names.length,
      ),
    )
  const entry = row({ question: `${shuffled} ${words.question(last)}`, options: names.slice(0, 4), answer: 'A' })
  return circularRows(entry, id, (options) => numberedChoices(options, String))
}
