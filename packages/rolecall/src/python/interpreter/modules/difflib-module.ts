import { notUnderstood, pyFloat, type Value } from '@rolecall/core/internal/python'
import { matchRatio } from '../../library/sequence-matcher.ts'
import type { Session } from '../session.ts'
import { NativeObject } from '../values.ts'
import { defineModule, native, textOf } from './define-module.ts'

/** `difflib.SequenceMatcher` of two texts, as far as its likeness is concerned. */
class MatcherValue extends NativeObject {
  readonly typeName = 'SequenceMatcher'

  constructor(
    readonly a: string,
    readonly b: string,
  ) {
    super()
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name !== 'ratio') return undefined
    return native('ratio()', (session) => {
      // At worst, every character of one text is compared with every one of the other.
      session.step((this.a.length * this.b.length) >> 4)
      return pyFloat(matchRatio(this.a, this.b))
    })
  }
}

export const difflib = defineModule('difflib', {
  SequenceMatcher: native(
    "SequenceMatcher(isjunk=None, a='', b='', autojunk=True)",
    (session, [junk = null, a = '', b = '', auto = true]) => {
      if (junk !== null || auto !== true) throw notUnderstood(session.at, 'difflib.SequenceMatcher with junk', 'compare whole texts')
      return new MatcherValue(textOf(a), textOf(b))
    },
  ),
})
