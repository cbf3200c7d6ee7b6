/**
 * When a run began, as ISO 8601, so that runs of several harnesses sort by time: they write local times, numbers of seconds or names of
 * files and folders. Empty if the text is no time.
 * @example
 * startTime('20260117_170816') // => '2026-01-17T17:08:16'
 * startTime('2026-01-17T17-08-16.5') // => '2026-01-17T17:08:16.5'
 */
export function startTime(text: string): string {
  if (/^\d{9,10}(?:\.\d+)?$/.test(text)) return new Date(Number(text) * 1000).toISOString()
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  const time =
    year === undefined ? text.replace(/T(\d\d)-(\d\d)-(\d\d)/, 'T$1:$2:$3') : `${year}-${month}-${day}T${hour}:${minute}:${second}`
  return Number.isNaN(Date.parse(time)) ? '' : time
}
