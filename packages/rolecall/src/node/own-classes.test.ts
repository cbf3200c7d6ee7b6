import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { interpreterFor } from './own-classes.ts'

const secret = 'a secret of this machine'

/** Two folders beside one another: that of a config, and one that its code must not see. */
function folders(files: Record<string, string>): { own: string; outside: string } {
  const root = folderWith({ 'outside/secret.txt': secret, 'outside/secret.py': `SECRET = '${secret}'\n`, 'own/data.txt': 'mine' })
  const [own, outside] = [join(root, 'own'), join(root, 'outside')]
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(own, path, '..'), { recursive: true })
    writeFileSync(join(own, path), text)
  }
  return { own, outside }
}

let tries = 0

/** What a function of a config's folder gives, or its error. A host reads a file once, so each is another one. */
function attempt(body: string, { own }: { own: string }): string {
  const file = `own_${tries++}.py`
  writeFileSync(join(own, file), `import os\nfrom pathlib import Path\ndef run():\n    return ${body}\n`)
  try {
    return JSON.stringify(
      interpreterFor(own)
        .load({ kind: 'function', name: `${file}:run` })
        .call({ args: [] }),
    )
  } catch (error) {
    return String(error)
  }
}

describe('code of a config', () => {
  test('reads the files of its folder', () => {
    expect(attempt("open('data.txt').read()", folders({}))).toBe('"mine"')
  })

  test.each([
    ['a path with ..', () => "open('../outside/secret.txt').read()"],
    ['an absolute path', (outside: string) => `open('${outside}/secret.txt').read()`],
    ['a link to a file', () => "open('link.txt').read()"],
    ['a link to a folder', () => "open('linked/secret.txt').read()"],
    ['pathlib', (outside: string) => `Path('${outside}').joinpath('secret.txt').read_text()`],
    ['a folder that does not exist on the way', () => "open('none/../../outside/secret.txt').read()"],
  ])('reads no file outside of it by %s', (_, code) => {
    const place = folders({})
    symlinkSync(join(place.outside, 'secret.txt'), join(place.own, 'link.txt'))
    symlinkSync(place.outside, join(place.own, 'linked'))
    const result = attempt(code(place.outside), place)
    expect(result).not.toContain(secret)
    expect(result).toContain('No such file')
  })

  test('does not learn what is outside of it: names and existence', () => {
    const place = folders({})
    symlinkSync(place.outside, join(place.own, 'linked'))
    const asked = `[os.path.exists('${place.outside}'), os.path.isfile('../outside/secret.txt'), os.path.isdir('/etc'), os.path.exists('linked')]`
    expect(attempt(asked, place)).toBe('[false,false,false,false]')
    for (const folder of ["'..'", "'/'", "'linked'", `'${place.outside}'`])
      expect(attempt(`os.listdir(${folder})`, place)).not.toContain('secret')
  })

  test('imports no module outside of it', () => {
    const place = folders({})
    symlinkSync(join(place.outside, 'secret.py'), join(place.own, 'linked_module.py'))
    for (const module of ['linked_module', 'outside.secret', '..outside.secret']) {
      const name = `importer_${tries++}`
      writeFileSync(join(place.own, `${name}.py`), `from ${module} import SECRET\ndef run():\n    return str(SECRET)\n`)
      let result = ''
      try {
        result = JSON.stringify(
          interpreterFor(place.own)
            .load({ kind: 'function', name: `${name}.py:run` })
            .call({ args: [] }),
        )
      } catch (error) {
        result = String(error)
      }
      expect(result).not.toContain(secret)
    }
  })

  test('reads no hidden file, which is where keys are, and no environment but the data folders', () => {
    const place = folders({ '.env': secret, '.ssh/id': secret })
    vi.stubEnv('ROLECALL_TEST_SECRET', secret)
    for (const body of [
      "open('.env').read()",
      "open('./.ssh/id').read()",
      "os.listdir('.ssh')",
      "os.environ.get('ROLECALL_TEST_SECRET')",
      'dict(os.environ)',
      "os.getenv('ROLECALL_TEST_SECRET')",
    ])
      expect(attempt(body, place), body).not.toContain(secret)
    expect(attempt("os.listdir('.')", place)).not.toContain('.env')
    vi.unstubAllEnvs()
  })

  test('writes nothing and starts nothing', () => {
    const place = folders({})
    for (const body of ["open('made.txt', 'w').write('x')", "os.system('touch made.txt')", "os.remove('data.txt')", "exec('import os')"])
      attempt(body, place)
    expect(attempt("[os.path.exists('made.txt'), os.path.exists('data.txt')]", place)).toBe('[false,true]')
  })
})
