import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anchorsOf } from '../../docs/page.ts'
import { currentVersion } from '../../docs/tried-versions.ts'
import { entryPoints } from '../../scripts/entry-points.ts'
import { apiDescriptions, apiGroups } from './api-groups.ts'
import { checkSite } from './check-site.ts'
import { buildLabFile } from './lab-file.ts'
import { packVocabularies } from './pack-vocabularies.ts'
import { siteConfig } from './site-config.ts'
import { listedFiles, siteFiles, translatedPaths } from './site-files.ts'
import { apiText } from './site-paths.ts'

// `npm run proof -- site`: writes the site into .site. What builds it (150 MB) is installed on the first run into .cache/site-tools, so that `npm ci` stays small.
const root = fileURLToPath(new URL('../../', import.meta.url))
const toolsFolder = process.env.ROLECALL_SITE_TOOLS ?? join(root, '.cache/site-tools')
const source = join(root, '.cache/site')
const tools = ['vitepress@1.6.4', 'typedoc@0.28.20', 'typedoc-plugin-markdown@4.14.1', 'typescript@6.0.3']
const say = (text: string) => process.stderr.write(`${text}\n`)

rmSync(source, { recursive: true, force: true })
mkdirSync(join(source, 'public'), { recursive: true })
installTools()
const files = siteFiles()
for (const { path, text } of files) writePage(path, text)
for (const name of readdirSync(join(root, 'docs'))) {
  if (/\.(?:svg|png)$/.test(name)) copyFileSync(join(root, 'docs', name), join(source, 'public', name))
}
copyFileSync(join(root, 'packages/viewer/public/icon.svg'), join(source, 'public/icon.svg'))
const api = process.argv.includes('--no-api') ? [] : writeApi()
const hasLab = writeLab()
const translated = translatedPaths(files.map(({ path }) => path))
mkdirSync(join(source, '.vitepress'))
cpSync(join(root, 'packages/site/theme'), join(source, '.vitepress/theme'), { recursive: true })
writeFileSync(
  join(source, '.vitepress/config.mjs'),
  siteConfig({ pages: listedFiles(), translated, api, hasLab, version: currentVersion() }),
)
// Its sources find VitePress as any module is found: in a node_modules above them.
run(join(toolsFolder, 'node_modules/.bin/vitepress'), 'build', source)
say(await checkSite(join(root, '.site'), source, toolsFolder))
say(`the site is in ${join(root, '.site')}: npx vite preview --outDir .site`)

function installTools(): void {
  const missing = tools.filter((name) => !existsSync(join(toolsFolder, 'node_modules', name.slice(0, name.lastIndexOf('@')))))
  if (missing.length === 0) return
  say(`installing ${missing.join(', ')} into ${toolsFolder}`)
  mkdirSync(toolsFolder, { recursive: true })
  if (!existsSync(join(toolsFolder, 'package.json'))) writeFileSync(join(toolsFolder, 'package.json'), '{ "private": true }\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...missing], { cwd: toolsFolder, stdio: 'inherit' })
}

function writePage(path: string, text: string): void {
  const target = join(source, `${path}.md`)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

/** The reference of everything that programs import, from its doc comments. */
function writeApi(): string[] {
  const files = Object.values(entryPoints).map((file) => `packages/rolecall/src/${file}.ts`)
  say('writing the reference of the API')
  const options = {
    entryPoints: files.map((file) => join(root, file)),
    tsconfig: join(root, 'tsconfig.json'),
    plugin: [join(toolsFolder, 'node_modules/typedoc-plugin-markdown/dist/index.js'), groupsPlugin()],
    out: join(source, 'api'),
    entryFileName: 'index',
    name: 'API reference',
    readme: 'none',
    skipErrorChecking: true,
    logLevel: 'Error',
    // By what it is for, not by what TypeScript calls it.
    categorizeByGroup: false,
    navigation: { includeCategories: true },
    hidePageHeader: true,
    expandParameters: false,
    useCodeBlocks: true,
    indexFormat: 'table',
    parametersFormat: 'table',
    propertiesFormat: 'table',
    typeDeclarationFormat: 'table',
  }
  const file = join(source, 'typedoc.json')
  writeFileSync(file, JSON.stringify(options))
  run(join(toolsFolder, 'node_modules/.bin/typedoc'), '--options', file)
  rmSync(file)
  mendAnchors(options.out)
  return Object.keys(entryPoints)
}

/** Removes anchors that lead nowhere from the links of the API reference. */
function mendAnchors(folder: string): void {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  for (const path of pages.map((name) => join(folder, name))) {
    const hasAnchor = (link: string) => {
      const [page = '', anchor = ''] = link.split('#')
      const target = join(dirname(path), page)
      // Headings of the same name are numbered.
      return !existsSync(target) || anchorsOf(readFileSync(target, 'utf8')).includes(anchor.replace(/-\d+$/, ''))
    }
    writeFileSync(path, apiText(readFileSync(path, 'utf8'), hasAnchor))
  }
}

/** The plugin that groups exports, beside TypeDoc, which it imports. */
function groupsPlugin(): string {
  const copy = join(toolsFolder, 'api-plugin.mjs')
  copyFileSync(join(root, 'packages/site/api-plugin.mjs'), copy)
  writeFileSync(join(toolsFolder, 'api-groups.json'), JSON.stringify({ groups: apiGroups, descriptions: apiDescriptions }))
  return copy
}

/** The lab as an application beside the pages, with the embedded model and the vocabularies that are here; it needs a build. */
function writeLab(): boolean {
  const viewer = join(root, 'packages/rolecall/dist/viewer')
  if (!existsSync(join(viewer, 'lab.html'))) {
    say('the viewer is not built here (npm run build), so that the site has no lab')
    return false
  }
  const lab = join(source, 'public/lab')
  cpSync(viewer, lab, { recursive: true, filter: (from) => from !== join(viewer, 'report') && from !== join(viewer, 'index.html') })
  renameSync(join(lab, 'lab.html'), join(lab, 'index.html'))
  mkdirSync(join(lab, 'embedded'))
  for (const [file, name] of [
    ['model.int8.safetensors', 'model.safetensors'],
    ['tokenizer.json', 'tokenizer.json'],
  ] as const)
    copyFileSync(join(root, 'packages/rolecall/embedded-model', file), join(lab, 'embedded', name))
  const packed = packVocabularies(join(lab, 'lab/tokenizers'), process.env.ROLECALL_PEERS ?? join(root, '.cache/peers'))
  say(packed.length === 0 ? 'no vocabularies here: the lab estimates tokens' : `vocabularies of the lab: ${packed.join(', ')}`)
  writeFileSync(join(source, 'public/lab-offline.html'), buildLabFile(root))
  writeOldAddresses(join(source, 'public'))
  return true
}

/** The lab replaces the playground: its addresses lead there, with what links contain. */
function writeOldAddresses(folder: string): void {
  mkdirSync(join(folder, 'playground'))
  mkdirSync(join(folder, 'zh'), { recursive: true })
  writeFileSync(join(folder, 'playground/to-lab.js'), "location.replace('/lab/' + location.search + location.hash)\n")
  const page =
    '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Lab</title><script src="/playground/to-lab.js"></script><p><a href="/lab/">The playground is now the lab.</a></p></html>\n'
  for (const name of ['playground.html', 'playground/index.html', 'zh/playground.html']) writeFileSync(join(folder, name), page)
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
}
