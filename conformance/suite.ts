import type { PyDict, PyValue } from '../src/base/python/index.ts'
import type { Verdict } from './judge.ts'

/** A kind of golden vectors. */
export type Suite = {
  /** The folder under which its files are reported. */
  name: string
  /** Whether a file with this first vector belongs to the suite; decided by shape, because files may have any name. */
  recognises(vector: PyDict): boolean
  /** `folder` contains the file, for vectors that reference other files. */
  judge(vector: PyValue, folder: string): Verdict | Promise<Verdict>
  /** Stops what it started, such as an interpreter, after each file. */
  close?(): Promise<void>
}
