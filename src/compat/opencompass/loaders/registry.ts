import type { Loader } from './loader.ts'
import { codeLoaders } from './registry/code.ts'
import { examsLoaders } from './registry/exams.ts'
import { judgedLoaders } from './registry/judged.ts'
import { languageLoaders } from './registry/language.ts'
import { longTextsLoaders } from './registry/long-texts.ts'
import { plainLoaders } from './registry/plain.ts'
import { reasoningLoaders } from './registry/reasoning.ts'
import { scienceLoaders } from './registry/science.ts'

/** Dataset class of OpenCompass → how its rows are read. One line for each, in the file of its subject. */
export const loaders: Readonly<Record<string, Loader>> = {
  ...plainLoaders,
  ...examsLoaders,
  ...reasoningLoaders,
  ...languageLoaders,
  ...codeLoaders,
  ...longTextsLoaders,
  ...scienceLoaders,
  ...judgedLoaders,
}
