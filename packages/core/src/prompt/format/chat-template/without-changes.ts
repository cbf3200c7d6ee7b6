/**
 * A template without its statements that do nothing but change a list or dict in place (`{% set _ = ids.append(id) %}`, `{% do … %}`).
 * Sandboxes such as transformers' reject them; without them the template's output for a message can still be examined.
 *
 * @example withoutChanges('{% for m in messages %}{% set _ = seen.append(m) %}{{ m }}{% endfor %}') // => '{% for m in messages %}{{ m }}{% endfor %}'
 */
export function withoutChanges(source: string): string {
  return source.replace(changes, (statement) => (statement.startsWith('{%-') || statement.endsWith('-%}') ? trimming(statement) : ''))
}

/** White-space control equivalent to the statement's. */
function trimming(statement: string): string {
  return `{%${statement.startsWith('{%-') ? '-' : ''} if true ${statement.endsWith('-%}') ? '-' : ''}%}{% endif %}`
}

const changes =
  /\{%[-+]?\s*(?:set\s+_\w*\s*=|do)\s*[\w.[\]'"]+\.(?:append|extend|insert|pop|remove|clear|sort|reverse|update|setdefault|popitem)\((?:'[^']*'|"[^"]*"|[^'"%]|%(?!\}))*?\)\s*[-+]?%\}/g
