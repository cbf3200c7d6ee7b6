import type { GivenPart } from './json-schema.ts'

/** A schema inside one that was derived from another, with the pointer that it has in the original. */
export class PlacedSchema {
  readonly part: GivenPart

  constructor(part: GivenPart) {
    this.part = part
  }
}
