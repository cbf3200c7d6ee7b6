import { type Language, language } from './language.ts'

/**
 * The texts of one part of the viewer. The English table says which there are: a Chinese one that lacks a text, or has another, does not
 * compile. Texts with numbers or names in them are functions. The result gives the table in the language that is shown now, so it is called
 * while something is drawn, not before.
 *
 * @example
 * const fruitWords = words({ apples: (count: number) => counted(count, 'apple', 'apples') }, { apples: (count) => `${showNumber(count)} 个苹果` })
 * fruitWords().apples(2) // => '2 apples'
 */
export function words<Table extends object>(english: Table, chinese: NoInfer<Table>): () => Table {
  const tables: Record<Language, Table> = { en: english, zh: chinese }
  return () => tables[language()]
}
