import type { PyDict, PyValue } from '../src/base/python/index.ts'
import type { Verdict } from './judge.ts'

/** A kind of golden vectors. */
export type Suite = {
  /** The folder that its files are reported under. */
  name: string
  /** Whether a file whose first vector is this one belongs to the suite; by shape, since files may have any name. */
  recognises(vector: PyDict): boolean
  /** `folder` is where the file lies, for vectors that refer to other files. */
  judge(vector: PyValue, folder: string): Verdict | Promise<Verdict>
  /** Ends what it has started, such as an interpreter, when a file is done. */
  close?(): Promise<void>
}
