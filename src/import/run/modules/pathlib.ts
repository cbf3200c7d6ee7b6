import type { Value } from '../../../python/values/value.ts'
import { joinPath } from '../paths.ts'
import { PathValue } from '../values.ts'
import { defineModule, native, textOf, unknownOr } from './define-module.ts'

const path = native('Path', (_, args) =>
  unknownOr(
    args,
    (): Value =>
      new PathValue(joinPath(...(args.length === 0 ? ['.'] : args.map((arg) => (arg instanceof PathValue ? arg.path : textOf(arg)))))),
  ),
)

export const pathlib = defineModule('pathlib', { Path: path, PurePath: path, PosixPath: path })
