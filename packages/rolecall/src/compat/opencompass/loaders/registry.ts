import type { Loader } from './loader.ts'
import { aisbenchLoaders } from './registry/aisbench-loaders.ts'
import { codeLoaders } from './registry/code-loaders.ts'
import { examsLoaders } from './registry/exams-loaders.ts'
import { hubLoaders } from './registry/hub-loaders.ts'
import { judgedLoaders } from './registry/judged-loaders.ts'
import { languageLoaders } from './registry/language-loaders.ts'
import { longTextsLoaders } from './registry/long-texts-loaders.ts'
import { plainLoaders } from './registry/plain-loaders.ts'
import { reasoningLoaders } from './registry/reasoning-loaders.ts'
import { scienceLoaders } from './registry/science-loaders.ts'

/** Dataset class of OpenCompass → its loader. One line each, in the file of its subject. */
export const loaders: Readonly<Record<string, Loader>> = {
  ...plainLoaders,
  ...examsLoaders,
  ...reasoningLoaders,
  ...languageLoaders,
  ...codeLoaders,
  ...longTextsLoaders,
  ...scienceLoaders,
  ...judgedLoaders,
  ...hubLoaders,
  ...aisbenchLoaders,
}
