import { type Language, language } from './language.ts'

/**
 * The texts of one part of the viewer. The English table defines the keys: a Chinese table with missing or extra texts does not compile.
 * Texts with numbers or names are functions. The result returns the table of the current language, so call it during rendering.
 *
 * @example
 * const fruitTexts = translated({ apples: (count: number) => counted(count, 'apple', 'apples') }, { apples: (count) => `${showNumber(count)} 个苹果` })
 * fruitTexts().apples(2) // => '2 apples'
 */
export function translated<Table extends object>(english: Table, chinese: NoInfer<Table>): () => Table {
  const tables: Record<Language, Table> = { en: english, zh: chinese }
  return () => tables[language()]
}
