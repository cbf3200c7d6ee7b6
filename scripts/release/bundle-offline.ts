import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes one archive of a folder into which Rolecall was installed: `npm install -g` takes it without a registry, as all that it needs lies in
 * it. Returns the archive's path.
 */
export function bundleOffline(installed: string, target: string): string {
  const modules = join(installed, 'node_modules')
  const own = manifestOf(join(modules, 'rolecall'))
  const names = packagesIn(modules)
  const dependencies = Object.fromEntries(names.map((name) => [name, manifestOf(join(modules, name)).version]))
  const manifest = {
    ...{ name: 'rolecall-offline', version: own.version, license: own.license, engines: own.engines },
    description: 'Rolecall with all that it needs, for machines without a registry.',
    bin: { rolecall: 'node_modules/rolecall/bin/rolecall.mjs' },
    ...{ dependencies, bundleDependencies: names },
  }
  writeFileSync(join(installed, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const flags = ['--json', '--loglevel=error', '--ignore-scripts', '--pack-destination', target]
  const printed = execFileSync('npm', ['pack', ...flags], { cwd: installed, encoding: 'utf8', maxBuffer: 1e8 })
  // Newer versions of npm print an object by name.
  const [packed] = Object.values(JSON.parse(printed) as Record<string, { filename: string }>)
  if (packed === undefined) throw new Error('npm pack printed no file')
  return join(target, packed.filename)
}

type Manifest = { version: string; license?: string; engines?: object }

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** The names of the packages of a `node_modules`. */
function packagesIn(modules: string): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name]))
}
