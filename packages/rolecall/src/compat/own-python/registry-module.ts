import { isListValue, notUnderstood, typeError, type Value } from '@rolecall/core/internal/python'
import { builtins } from '../../python/interpreter/builtins.ts'
import { call } from '../../python/interpreter/call.ts'
import { Instance, UserClass } from '../../python/interpreter/classes.ts'
import { isMutableDict, newDict, setItem } from '../../python/interpreter/containers.ts'
import { defineModule, native } from '../../python/interpreter/modules/define-module.ts'
import { openFile } from '../../python/interpreter/modules/os-modules.ts'
import { silent } from '../../python/interpreter/modules/silent-modules.ts'
import { standardModule } from '../../python/interpreter/modules/standard-modules.ts'
import type { Session } from '../../python/interpreter/session.ts'
import { Builtin, type ModuleValue, UserFunction } from '../../python/interpreter/values.ts'

/** Loads what is registered under a name that no module has entered yet. */
export type FindRegistered = (session: Session, name: string) => Value | undefined

/** The part of mmengine that code of OpenCompass uses: registries, dicts of configs, loggers. */
export function registryModules(find: FindRegistered): ModuleValue[] {
  const entriesOf = (self: Value | undefined) => {
    const entries = self instanceof Instance ? self.fields.get('module_dict') : undefined
    if (!isMutableDict(entries ?? null)) throw typeError('a Registry is needed')
    return entries as ReturnType<typeof newDict>
  }
  const got = (session: Session, self: Value | undefined, name: Value): Value | undefined =>
    entriesOf(self).get(name as string) ?? (typeof name === 'string' ? find(session, name) : undefined)
  const registry = new UserClass(
    'Registry',
    [],
    new Map([
      [
        '__init__',
        native('__init__(self, name, build_func=None, parent=None, children=None, scope=None, locations=())', (session, [self, name]) => {
          if (self instanceof Instance) {
            self.fields.set('module_dict', newDict(session) as Value)
            self.fields.set('name', name!)
          }
          return null
        }),
      ],
      [
        'register_module',
        native('register_module(self, name=None, force=False, module=None)', (session, [self, name = null, , module = null]) => {
          const enter = (session: Session, made: Value) => {
            const names = name === null ? [nameOf(made)] : isListValue(name) ? name : [name]
            for (const each of names) setItem(session, entriesOf(self), each, made)
            return made
          }
          return module === null ? native('register(module)', (session, [made]) => enter(session, made!)) : enter(session, module)
        }),
      ],
      ['get', native('get(self, key)', (session, [self, name]) => got(session, self, name!) ?? null)],
      [
        'build',
        native('build(self, cfg, *args, **kwargs)', (session, [self, config], _, scope) => {
          if (!isMutableDict(config!)) throw typeError('cfg should be a dict')
          const { type, ...settings } = Object.fromEntries(config as Map<string, Value>)
          const made = typeof type === 'string' ? got(session, self, type) : type
          if (made === undefined) throw notUnderstood(session.at, `"${String(type)}", which is in no registry,`, 'register it')
          return call(session, made, [], new Map(Object.entries(settings)), scope)
        }),
      ],
    ]),
  )
  const dict = builtins.get('dict')!
  const logger = native('getLogger(*args, **kwargs)', () => silent)
  return [
    defineModule('mmengine.registry', { Registry: registry, METRICS: null }),
    defineModule('mmengine.config', { ConfigDict: dict }),
    defineModule('mmengine.logging', { MMLogger: defineModule('mmengine.logging.MMLogger', { get_instance: logger }), print_log: logger }),
    defineModule('mmengine', {
      ConfigDict: dict,
      mkdir_or_exist: native('mkdir_or_exist(dir_name, mode=0)', () => null),
      load: native('load(file)', (session, [path], _, scope) => {
        if (typeof path !== 'string' || !path.endsWith('.json'))
          throw notUnderstood(session.at, 'mmengine.load of what is no .json file', 'open it')
        return call(session, standardModule('json')!.attributes.get('load')!, [openFile(session, [path], undefined)], undefined, scope)
      }),
    }),
  ]
}

function nameOf(made: Value): string {
  if (made instanceof UserClass || made instanceof UserFunction || made instanceof Builtin) return made.name
  throw typeError('only a class or a function can be registered')
}
