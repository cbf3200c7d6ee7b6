import { hashlib } from '../../../python/interpreter/modules/hashlib-module.ts'
import { scipyOptimize } from '../../../python/interpreter/modules/numpy-matrix.ts'
import { makeNumpy } from '../../../python/interpreter/modules/numpy-random.ts'
import { makeRandom, type OnDraw, type RandomSource } from '../../../python/interpreter/modules/random-module.ts'
import { scipySpecial } from '../../../python/interpreter/modules/scipy-special.ts'
import { logging, tqdm, warnings } from '../../../python/interpreter/modules/silent-modules.ts'
import { ast, html, unicodedata } from '../../../python/interpreter/modules/text-modules.ts'
import { uuid } from '../../../python/interpreter/modules/uuid-module.ts'
import type { ModuleValue } from '../../../python/interpreter/values.ts'
import { jiebaModules } from './jieba-module.ts'
import { likenessLibraries } from './likeness-libraries.ts'
import { mathModules } from './math-modules.ts'
import { numberWords } from './number-words.ts'
import { sklearnModules } from './sklearn-modules.ts'
import { squadMetrics, transformersMetrics } from './squad-metric.ts'
import { textLibraries } from './text-libraries.ts'

/** Modules of Python's library and of packages that functions use whatever they belong to. */
export function libraryModules(onDraw: OnDraw, random: RandomSource, numpySeed?: number | undefined): readonly ModuleValue[] {
  return [
    ...makeNumpy(onDraw.shared, numpySeed),
    ...sklearnModules,
    logging,
    warnings,
    tqdm,
    ast,
    unicodedata,
    html,
    scipyOptimize,
    scipySpecial,
    uuid,
    squadMetrics,
    transformersMetrics,
    ...mathModules,
    ...numberWords,
    ...jiebaModules(),
    ...textLibraries,
    ...likenessLibraries,
    hashlib,
    makeRandom(onDraw, random),
  ]
}
