import type { Kwargs, Value } from '@rolecall/core/internal/python'
import { defineModule, native } from '../../python/interpreter/modules/define-module.ts'
import { re } from '../../python/interpreter/modules/re-module.ts'
import { silent } from '../../python/interpreter/modules/silent-modules.ts'
import { Builtin, type ModuleValue } from '../../python/interpreter/values.ts'
import { pandas } from '../lm-eval/python/dataset-value.ts'
import { randomSource } from '../lm-eval/python/function-host.ts'
import { libraryModules } from '../lm-eval/python/library-modules.ts'
import { makeEvaluate } from '../lm-eval/python/metric-modules.ts'
import type { Splits } from '../opencompass/loaders/table.ts'
import { DataNeeded } from './data-request.ts'
import { datasetBase } from './dataset-base.ts'
import { type DatasetRequest, datasetModules } from './dataset-modules.ts'
import { type FindRegistered, registryModules } from './registry-module.ts'

type Options = {
  loaded: (request: DatasetRequest) => Splits | undefined
  find: FindRegistered
  isDownloaded: (archive: string) => boolean
}

/** The modules of Python and of packages that code of OpenCompass and of its users imports. */
export function programModules({ loaded, find, isDownloaded }: Options): ModuleValue[] {
  const nothing = () => undefined
  const logger = native('get_logger(*args, **kwargs)', (): Value => silent)
  return [
    ...libraryModules({ shared: nothing, own: nothing }, randomSource()),
    makeEvaluate(),
    ...datasetModules(loaded),
    ...registryModules(find),
    withoutTimeout(defineModule('regex', Object.fromEntries(re.attributes))),
    // The limits of a call hold in place of seconds.
    defineModule('timeout_decorator', { timeout: native('timeout(seconds=None, *args, **kwargs)', () => asIs) }),
    pandas,
    datasetBase(),
    defineModule('opencompass.utils.logging', { get_logger: logger }),
    defineModule('opencompass.utils.fileio', { download_and_extract_archive: downloads(isDownloaded) }),
  ]
}

const asIs = native('decorate(function)', (_, [made]) => made!)

/** A pattern takes bounded time here: `timeout` of the package regex changes nothing. */
function withoutTimeout(regex: ModuleValue): ModuleValue {
  const functions = [...regex.attributes].map(([name, made]): [string, Value] => {
    if (!(made instanceof Builtin)) return [name, made]
    const run = made.call
    return [
      name,
      new Builtin(name, (session, args, kwargs, scope) => run(session, args, without(kwargs, 'timeout'), scope), made.attributes),
    ]
  })
  return defineModule('regex', Object.fromEntries(functions))
}

function without(kwargs: Kwargs, name: string): Kwargs {
  return kwargs && new Map([...kwargs].filter(([key]) => key !== name))
}

function downloads(isDownloaded: (archive: string) => boolean): Value {
  return native(
    'download_and_extract_archive(url, download_root, extract_root=None, filename=None, md5=None, remove_finished=False)',
    (_, given) => {
      const [url, root, , , md5] = given.map(String)
      const archive = url!.slice(url!.lastIndexOf('/') + 1)
      if (!isDownloaded(archive)) throw new DataNeeded({ archive, md5: md5 ?? '', folder: root! })
      return null
    },
  )
}

/** The package that a call needs, in an error of the interpreter. */
export function packageOf(problem: string): string | undefined {
  const [, name] = /^a call of "([\w.]+)", which/.exec(problem) ?? []
  return name === undefined ? undefined : `it calls ${name}`
}
