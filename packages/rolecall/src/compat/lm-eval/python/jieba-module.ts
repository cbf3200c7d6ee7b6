import { notUnderstood } from '@rolecall/core/internal/python'
import { defineModule, native, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { ModuleValue } from '../../../python/interpreter/values.ts'
import type { ScoringPeers } from '../../../python/word-split/word-tokenize.ts'

let peers: (() => ScoringPeers) | undefined
let known: readonly ModuleValue[] | undefined

/** Tells where optional packages are found, which is looked up when a task first needs functions. */
export function setTaskPeers(find: () => ScoringPeers): void {
  peers = find
  known = undefined
}

/** `jieba`, if the package that splits Chinese words is installed. */
export function jiebaModules(): readonly ModuleValue[] {
  known ??= makeModules(peers?.() ?? {})
  return known
}

function makeModules({ words }: ScoringPeers): ModuleValue[] {
  if (words === undefined) return []
  const split = (name: string) =>
    native(`${name}(sentence, cut_all=False, HMM=True)`, (session, [text, isAll = false, withHmm = true]) => {
      if (isAll !== false || withHmm !== true) throw notUnderstood(session.at, `jieba.${name} with these arguments`, 'leave them out')
      session.step(textOf(text).length)
      return session.made([...words(textOf(text))])
    })
  return [defineModule('jieba', { cut: split('cut'), lcut: split('lcut') })]
}
