import { PythonError } from '../python-error.ts'
import { notUnderstood } from '../syntax/import-error.ts'
import { typeName } from '../values/type-name.ts'
import type { Value } from '../values/value.ts'
import { isMutableDict } from './dicts.ts'
import { methodOf } from './methods.ts'
import { pathAttribute } from './modules/os.ts'
import { pythonVersion } from './modules/sys.ts'
import type { Session } from './session.ts'
import { Builtin, ClassRef, ModuleValue, NameRef, NativeObject, PathValue, Unknown, UserFunction } from './values.ts'

/** `object.name`. */
export function attributeOf(session: Session, object: Value, name: string): Value {
  if (object instanceof Unknown) return object
  if (object instanceof NativeObject) {
    const found = object.attribute(session, name)
    if (found !== undefined) return found
    throw new PythonError('AttributeError', `'${object.typeName}' object has no attribute '${name}'`)
  }
  // mmengine imports lazily: `os.environ.build()` is what Python calls os.environ.
  if (
    name === 'build' &&
    (object instanceof NameRef || object instanceof ModuleValue || object instanceof Builtin || object === environmentOf(session))
  )
    return new Builtin(name, () => object)
  if (object instanceof PathValue) {
    const found = pathAttribute(object, name)
    if (found !== undefined) return found
  }
  if (object instanceof NameRef) {
    if (name === '__name__') return object.name
    const own = object instanceof ClassRef ? object.attributes.get(name) : undefined
    if (own !== undefined) return own
    return session.name(`${object.name}.${name}`, `${object.path}.${name}`, object.declared)
  }
  if (object instanceof ModuleValue || object instanceof Builtin) {
    const found =
      object instanceof ModuleValue && object.name === 'os' && name === 'environ' ? environmentOf(session) : object.attributes.get(name)
    if (found !== undefined) return found === pythonVersion ? assumedVersion(session) : found
    if (object instanceof Builtin && name === '__name__') return object.name
    if (object instanceof ModuleValue) return session.name(`${object.name}.${name}`, `${object.name}.${name}`, true)
  }
  if (object instanceof UserFunction && name === '__name__') return object.name
  if (object === pythonVersion) {
    const place = ['major', 'minor', 'micro'].indexOf(name)
    if (place >= 0) return pythonVersion.items[place]!
  }
  const method = methodOf(object, name)
  if (method !== undefined) return new Builtin(name, (_, args, kwargs, scope) => method(session, object as never, args, kwargs, scope))
  // mmengine's dicts have their keys as attributes.
  const value = isMutableDict(object) ? object.get(name) : undefined
  if (value !== undefined) return value
  // Python may have it: a function must not take its other way because of what is not here.
  if (session.strict) throw notUnderstood(session.at, `"${name}" of a ${typeName(object)}`, 'write it in another way')
  throw new PythonError('AttributeError', `'${typeName(object)}' object has no attribute '${name}'`)
}

/** Which Python a config would be run by is nowhere said. */
function assumedVersion(session: Session): Value {
  if (!session.notes.some(({ code }) => code === 'assumed'))
    session.note('assumed', 'sys.version_info is taken to be that of Python 3.11', session.at)
  return pythonVersion
}

/** `os.environ`. */
function environmentOf(session: Session): Value {
  return session.environment as unknown as Value
}
