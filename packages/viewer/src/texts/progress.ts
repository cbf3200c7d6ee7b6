import type { LiveProgress } from 'rolecall/internal/server/viewer/viewer-data'
import { counted, showDecimal, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

const progressTexts = translated(
  {
    rows: (rows: number) => counted(rows, 'row', 'rows'),
    ofRows: (rows: number, all: number) => `${showNumber(rows)} of ${counted(all, 'row', 'rows')}`,
    rate: (perSecond: string) => `${perSecond} rows/s`,
    left: (time: string) => `about ${time} left`,
    failed: (rows: number) => counted(rows, 'error', 'errors'),
    seconds: (count: number) => `${showNumber(count)} s`,
    minutes: (count: number) => `${showNumber(count)} min`,
    hours: (count: string) => `${count} h`,
  },
  {
    rows: (rows) => `${showNumber(rows)} 行`,
    ofRows: (rows, all) => `${showNumber(rows)} / ${showNumber(all)} 行`,
    rate: (perSecond) => `每秒 ${perSecond} 行`,
    left: (time) => `约剩 ${time}`,
    failed: (rows) => `${showNumber(rows)} 个错误`,
    seconds: (count) => `${showNumber(count)} 秒`,
    minutes: (count) => `${showNumber(count)} 分钟`,
    hours: (count) => `${count} 小时`,
  },
)

/** `340 of 1,000 rows · 12.3 rows/s · about 54 s left · 3 errors`; what is unknown is left out. */
export function progressText({ rows, all, perSecond, secondsLeft, failed }: LiveProgress): string {
  const ui = progressTexts()
  return [
    all === undefined ? ui.rows(rows) : ui.ofRows(rows, all),
    ...(perSecond === undefined ? [] : [ui.rate(showDecimal(perSecond, 1))]),
    ...(secondsLeft === undefined ? [] : [ui.left(durationText(secondsLeft))]),
    ...(failed > 0 ? [ui.failed(failed)] : []),
  ].join(' · ')
}

function durationText(seconds: number): string {
  const ui = progressTexts()
  if (seconds < 90) return ui.seconds(Math.ceil(seconds))
  return seconds < 90 * 60 ? ui.minutes(Math.ceil(seconds / 60)) : ui.hours(showDecimal(seconds / 3600, 1))
}
