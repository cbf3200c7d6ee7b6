import { Tuple } from '../../values/value.ts'
import { defineModule } from './define-module.ts'

/** The Python that the vectors of this project were made with. */
export const pythonVersion = new Tuple([3, 11, 0, 'final', 0])

/** What configs use of `sys`: the version, to choose between two ways of writing something. */
export const sys = defineModule('sys', { version_info: pythonVersion })
