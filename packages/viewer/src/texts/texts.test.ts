import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { chooseLanguage, setLanguage } from './language.ts'
import { metricName } from './metric-names.ts'
import { noteName } from './note-names.ts'
import { counted, localeFor, showDate, showDecimal, showNumber } from './numbers.ts'
import { translated } from './translated.ts'
import { figureName } from './units.ts'
import { whyTexts } from './why.ts'

afterEach(() => setLanguage('en'))

test('the language comes from the link, else from storage, else it is the first supported one of the browser', () => {
  expect(chooseLanguage({ linked: 'zh', kept: 'en', preferred: ['en'] })).toBe('zh')
  expect(chooseLanguage({ linked: 'klingon', kept: 'zh', preferred: ['en'] })).toBe('zh')
  expect(chooseLanguage({ preferred: ['de-DE', 'zh-Hans-CN', 'en'] })).toBe('zh')
  expect(chooseLanguage({ preferred: ['de-DE'] })).toBe('en')
  expect(chooseLanguage({ linked: 'constructor' })).toBe('en')
})

test('texts, numbers, dates and plurals use the current language', () => {
  const rows = translated({ rows: (count: number) => counted(count, 'row', 'rows') }, { rows: (count) => `${showNumber(count)} 行` })
  const noon = new Date(2026, 10, 17, 12, 30)
  expect([rows().rows(1), rows().rows(12_345), showDecimal(1234.5, 2)]).toEqual(['1 row', '12,345 rows', '1,234.50'])
  expect(showDate(noon)).toMatch(/Nov/)
  setLanguage('zh')
  expect(rows().rows(12_345)).toBe('12,345 行')
  expect(showDate(noon)).toMatch(/2026年11月17日/)
})

test("dates use the browser's variant of the language", () => {
  expect(localeFor('en', ['de', 'en-GB'])).toBe('en-GB')
  expect(localeFor('zh', ['de', 'en-GB'])).toBe('zh-CN')
})

test('metrics and notes have Chinese names; others stay as they are', () => {
  const shown = () => [
    figureName({ metric: 'accuracy (2 runs average)', unit: 'percent' }),
    metricName('toString'),
    noteName('too-long'),
    noteName('constructor'),
  ]
  expect(shown()).toEqual(['accuracy (2 runs average) %', 'toString', undefined, undefined])
  setLanguage('zh')
  expect(shown()).toEqual(['准确率（2 次运行的平均） %', 'toString', expect.stringContaining('超过长度上限'), undefined])
})

/** Messages of evaluators, and earlier wordings of the same ones. */
const chineseTerms = [
  ['参考答案', /期望答案|标准答案/],
  ['得分', /(?<!百)分数/],
  ['示例', /样例|例子/],
  ['未提取到答案', /未找到答案/],
  ['备注', /提示(?!词)/],
  ['实验台', /演练场|试验场|实验室/],
  ['并排对照', /并排比较/],
] as const

test.each(chineseTerms)('one thing has one name in Chinese: %s', (_, others) => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const said = files.flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
  expect(said.filter((line) => others.test(line))).toEqual([])
})

test('causes of `why`, what rows are joined by, and details without values have Chinese names', () => {
  const folder = new URL('../../../rolecall/src/workbench/why/', import.meta.url)
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const source = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  const found = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, text]) => text!)
  const causes = [...found(/cause: '([^']+)'/g), ...found(/\.of\('[^']+', '([^']+)'/g)]
  const details = [...found(/detail: '([^']+)'/g), ...found(/\.of\('[^']+', '[^']+', '([^']+)'/g)]
  // Others are names of fields.
  const joins = readFileSync(new URL('join-rows.ts', folder), 'utf8')
  const joinedBy = [...joins.matchAll(/\{ name: '(\w+ [^']+)'|\badd\(\s*'([^']+)'/g)].map(([, key, added]) => (key ?? added)!)
  expect(causes).toEqual(expect.arrayContaining(['unfinished reasoning', 'settings not recorded']))
  expect(joinedBy).toEqual(expect.arrayContaining(['question in prompt', 'id and similar prompt', 'question without common words']))
  setLanguage('zh')
  const isChinese = (text: string | undefined) => /\p{Script=Han}/u.test(text ?? '')
  expect(causes.filter((cause) => cause !== 'BOS' && !isChinese(whyTexts().cause(cause)))).toEqual([])
  expect(
    joinedBy.filter((key) =>
      whyTexts()
        .by([[key, 1]])
        .includes(key),
    ),
  ).toEqual([])
  expect(details.filter((detail) => !isChinese(whyTexts().detail(detail)))).toEqual([])
})
