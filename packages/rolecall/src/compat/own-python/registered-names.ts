import type { Value } from '@rolecall/core/internal/python'
import { loadOnce } from '../../python/interpreter/import-package.ts'
import type { Session } from '../../python/interpreter/session.ts'

/** A decorator that enters something into a registry, and the class or function below it. */
const registration = /^@\w+\.register_module\(([^)]*)\)[^\n]*\n(?:(?:@|#|[ \t])[^\n]*\n)*(?:class|def)[ \t]+(\w+)/gm

/** The code that a host reads. */
export type CodeFiles = {
  /** The text of a file of code: beside the config first, then in the checkout. */
  read(path: string): string | undefined
  /** The files of code that may register a class or function, users' own first. */
  codeFiles(): Iterable<string>
}

type Place = { file: string; name: string }

/** The classes and functions that files register, found in their text: a file is run when one of its names is asked for. */
export class RegisteredNames {
  #places: ReadonlyMap<string, Place> | undefined

  constructor(readonly sources: CodeFiles) {}

  find(session: Session, name: string): Value | undefined {
    const place = this.#all().get(name)
    return place === undefined ? undefined : loadOnce(session, place.file).names.get(place.name)
  }

  /** By the name that they are registered under, which is their own if none is given; of two, the first. */
  #all(): ReadonlyMap<string, Place> {
    if (this.#places !== undefined) return this.#places
    const places = new Map<string, Place>()
    for (const file of this.sources.codeFiles())
      for (const [, given = '', name = ''] of (this.sources.read(file) ?? '').matchAll(registration)) {
        const written = [...given.matchAll(/(['"])(.+?)\1/g)].map(([, , text]) => text!)
        for (const each of written.length > 0 ? written : [name]) if (!places.has(each)) places.set(each, { file, name })
      }
    this.#places = places
    return places
  }
}
