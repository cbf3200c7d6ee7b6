import { PythonRandom } from '../../../../base/python/index.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { integer, type RowDict, row, textAt } from '../row-values.ts'
import { fromList } from '../table.ts'
import { circularRows, numberedChoices } from './circular.ts'

type Words = { terms: string[]; sentences: string[]; question: (last: string) => string }

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

/** Chains of relatives in random order, with names from a file: the choices of NeedleBench's ancestral trace challenge. */
export const ancestors: Loader = {
  reads: 'a folder with the file "file_name": language → names with commas between',
  takes: ['path', 'file_name', 'num_needles', 'language', 'repeats', 'with_circular?'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), settings.text('file_name'))
    const language = settings.text('language')
    const all = textAt(await data.json(path), language).split(',')
    const words = languages[language]
    if (!words) throw new BadData('"language" is neither Chinese nor English')
    const rows: RowDict[] = []
    for (let id = 0; id < integer(settings.get('repeats')); id++)
      rows.push(...storyRows(all, integer(settings.get('num_needles')), id, words))
    return fromList(rows)
  },
}

function storyRows(all: readonly string[], count: number, id: number, { terms, sentences, question }: Words): RowDict[] {
  const random = new PythonRandom(id)
  if (count > all.length) throw new BadData(`there are only ${all.length} names`)
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
  const entry = row({ question: `${shuffled} ${question(last)}`, options: names.slice(0, 4), answer: 'A' })
  return circularRows(entry, id, (options) => numberedChoices(options, String))
}
