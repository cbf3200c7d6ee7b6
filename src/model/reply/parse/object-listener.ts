/** Hears what stands on the first level of an object. */
export type ObjectListener = {
  /** A key is complete; whether its value is wanted, or the object is not what it was taken for. */
  key(key: string): 'wanted' | 'other' | 'stop'
  /** The next chunk of the wanted value. */
  value(text: string): void
  /** It is complete: where it starts and ends, counted from the object's start. */
  valueEnd(start: number, end: number): void
}

/**
 * - `more`: the text is used up.
 * - `end`: the value is complete.
 * - `marker`: a marker stands here.
 * - `partial`: here may be the start of a marker.
 * - `stop`: the listener does not want to go on.
 */
export type ScanStatus = 'more' | 'end' | 'marker' | 'partial' | 'stop'
