const mostPages = 20

/** Writes the comparison as a comment on a pull request, in place of the one that an earlier job wrote for the same config. */
export async function writeComment({ pull, config, text, token }, environment = process.env) {
  const { GITHUB_REPOSITORY: repository = '', GITHUB_API_URL: api = 'https://api.github.com' } = environment
  if (token === '' || !/^[\w.-]+\/[\w.-]+$/.test(repository)) return warn('no comment is written: there is no token')
  const base = `${api}/repos/${repository}/issues`
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'user-agent': 'rolecall',
  }
  // In a comment of HTML, which ends at the first "-->".
  const mark = `<!-- rolecall ${encodeURIComponent(config).replaceAll('-', '%2D')} -->`
  const body = JSON.stringify({ body: cut(`${mark}\n### Rolecall: \`${config.replaceAll('`', "'")}\`\n\n${text}`) })
  try {
    const known = await findComment(`${base}/${pull}/comments`, mark, headers)
    const url = known === undefined ? `${base}/${pull}/comments` : `${base}/comments/${known}`
    const answer = await fetch(url, { method: known === undefined ? 'POST' : 'PATCH', headers, body, signal: AbortSignal.timeout(30_000) })
    // The token of a pull request from a fork may only read. The comparison is in the job's summary then.
    if (!answer.ok)
      warn(
        `no comment is written: GitHub answers ${answer.status}${answer.status === 403 ? ' (the token needs pull-requests: write)' : ''}`,
      )
  } catch (error) {
    warn(`no comment is written: ${error.message}`)
  }
}

/** The number of our comment; undefined if there is none. */
async function findComment(url, mark, headers) {
  for (let page = 1; page <= mostPages; page++) {
    const answer = await fetch(`${url}?per_page=100&page=${page}`, { headers, signal: AbortSignal.timeout(30_000) })
    if (!answer.ok) return undefined
    const comments = await answer.json()
    if (!Array.isArray(comments)) return undefined
    // Anybody may copy the mark into a comment of theirs, which we may not change.
    const own = comments.find(({ body, user }) => typeof body === 'string' && body.startsWith(mark) && user?.type === 'Bot')
    if (own) return Number(own.id)
    if (comments.length < 100) return undefined
  }
  return undefined
}

/** GitHub takes 65,536 characters. */
function cut(text) {
  return text.length <= 65_000 ? text : `${text.slice(0, 64_900)}\n\n… the rest is in the summary of the job`
}

function warn(text) {
  console.log(`::warning title=Rolecall::${text.replaceAll('%', '%25').replaceAll('\n', '%0A')}`)
}
