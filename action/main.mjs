// What action.yml runs: the config of the pull request, the same config at its base, the comparison of both, and the comment.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeComment } from './comment.mjs'

const rolecall = fileURLToPath(new URL('../packages/rolecall/bin/rolecall.mjs', import.meta.url))
const {
  ROLECALL_CONFIG: config = '',
  ROLECALL_COMPARE_WITH: compareWith = 'base',
  ROLECALL_FAIL_ON: failOn = 'worse',
  ROLECALL_FAIL_UNDER: failUnder = '',
  ROLECALL_ARGUMENTS: more = '',
  ROLECALL_COMMENT: comment = 'true',
  ROLECALL_TOKEN: token = '',
  RUNNER_TEMP: temporary = '.',
} = process.env
const lines = (text) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

// The models' keys stay; the token is for the comment. A config that is a program could still find it: it has the rights of the job.
const { ROLECALL_TOKEN: _, ...environment } = process.env
const event = readEvent()
const folders = join(temporary, `rolecall-${randomUUID()}`)
mkdirSync(folders, { recursive: true })

if (config === '' || config.startsWith('-')) stop(`config: "${config}" is not the path of a config`)
const limits = lines(failUnder).flatMap((limit) => ['--fail-under', limit])
const after = run(process.cwd(), join(folders, 'after'), [...limits, '--github'])
if (after.folder === undefined) finish(after.code === 0 ? 1 : after.code)
output('run', after.folder)
const before = compareWith === 'none' ? undefined : compareWith === 'base' ? runBase() : resolve(compareWith)
if (before === undefined) finish(after.code)

const file = join(folders, 'comparison.md')
const gate = failOn === 'never' ? [] : ['--fail-on', failOn]
const compared = ours(['compare', before, after.folder, ...gate, '--github', '--markdown', file], process.cwd())
if (existsSync(file)) {
  const text = readFileSync(file, 'utf8')
  output('comparison', text)
  const pull = event.pull_request?.number
  if (comment === 'true' && Number.isSafeInteger(pull)) await writeComment({ pull, config, text, token })
}
finish(after.code === 0 ? compared : after.code)

/** Runs the config in a checkout; the folder is undefined if the run did not start. */
function run(checkout, outputs, flags) {
  const code = ours(['run', config, '-w', outputs, ...lines(more), ...flags], checkout)
  const [name] = existsSync(outputs) ? readdirSync(outputs).sort().reverse() : []
  return { code, folder: name === undefined ? undefined : join(outputs, name) }
}

/** The run of the same config before the change; undefined, with a notice, where there is none. */
function runBase() {
  const sha = event.pull_request?.base?.sha ?? event.before
  // A new branch has no commit before it: GitHub gives zeros.
  if (typeof sha !== 'string' || !/^[0-9a-f]{40}$/.test(sha) || /^0+$/.test(sha))
    return say('notice', 'nothing to compare with: the event has no base commit')
  const top = git(['rev-parse', '--show-toplevel'], process.cwd())
  if (top === undefined)
    return say('warning', 'nothing to compare with: the working directory is not a git checkout (actions/checkout comes first)')
  const checkout = join(folders, 'base')
  const known = git(['cat-file', '-e', `${sha}^{commit}`], top) !== undefined
  if (!known && git(['fetch', '--no-tags', '--depth=1', 'origin', sha], top) === undefined)
    return say('warning', `nothing to compare with: the base ${sha} cannot be fetched`)
  if (git(['worktree', 'add', '--detach', checkout, sha], top) === undefined)
    return say('warning', `nothing to compare with: the base ${sha} cannot be checked out`)
  // A config in TypeScript may import packages.
  if (existsSync(join(top, 'node_modules')) && !existsSync(join(checkout, 'node_modules')))
    symlinkSync(join(top, 'node_modules'), join(checkout, 'node_modules'))
  const folder = join(checkout, relative(top, process.cwd()))
  if (isAbsolute(config) || !existsSync(join(folder, config))) return say('notice', `nothing to compare with: ${config} is new`)
  const base = run(folder, join(folders, 'before'), [])
  return base.folder ?? say('warning', `nothing to compare with: the run of the base failed with exit code ${base.code}`)
}

function ours(args, cwd) {
  const { status, error } = spawnSync(process.execPath, [rolecall, ...args], { cwd, env: environment, stdio: 'inherit' })
  if (error) stop(error.message)
  return status ?? 1
}

/** What git prints; undefined if it fails. */
function git(args, cwd) {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return status === 0 ? stdout.trim() : undefined
}

function readEvent() {
  const path = process.env.GITHUB_EVENT_PATH
  if (path === undefined || !existsSync(path)) return {}
  const given = JSON.parse(readFileSync(path, 'utf8'))
  return typeof given === 'object' && given !== null ? given : {}
}

/** Sets an output of the step. Its text may hold any line, so the line that ends it is drawn. */
function output(name, value) {
  const end = `end-${randomUUID()}`
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`)
}

function say(level, text) {
  console.log(`::${level} title=Rolecall::${text.replaceAll('%', '%25').replaceAll('\n', '%0A')}`)
}

function finish(code) {
  const top = git(['rev-parse', '--show-toplevel'], process.cwd())
  if (top !== undefined && existsSync(join(folders, 'base'))) git(['worktree', 'remove', '--force', join(folders, 'base')], top)
  process.exit(code)
}

function stop(text) {
  say('error', text)
  process.exit(2)
}
