const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** `datetime.now().strftime(format)` in the C locale, at the local time of `now`. */
export function strftime(now: Date, format: string): string {
  return format.replace(/%([-_0^#]?)([\s\S]|$)/gu, (whole, flag: string, letter: string) => {
    const written = directive(now, letter)
    if (written === undefined) return whole
    if (flag === '-') return written.replace(/^[0 ]+(?=.)/, '')
    if (flag === '_') return written.replace(/^0+(?=.)/, (zeros) => ' '.repeat(zeros.length))
    return flag === '^' ? written.toUpperCase() : written
  })
}

function directive(now: Date, letter: string): string | undefined {
  const two = (value: number) => String(value).padStart(2, '0')
  const hour12 = now.getHours() % 12 || 12
  switch (letter) {
    case 'a':
      return days[now.getDay()]!.slice(0, 3)
    case 'A':
      return days[now.getDay()]!
    case 'w':
      return String(now.getDay())
    case 'u':
      return String(now.getDay() || 7)
    case 'd':
      return two(now.getDate())
    case 'e':
      return String(now.getDate()).padStart(2)
    case 'b':
    case 'h':
      return months[now.getMonth()]!.slice(0, 3)
    case 'B':
      return months[now.getMonth()]!
    case 'm':
      return two(now.getMonth() + 1)
    case 'y':
      return two(now.getFullYear() % 100)
    case 'Y':
      return String(now.getFullYear())
    case 'C':
      return two(Math.floor(now.getFullYear() / 100))
    case 'H':
      return two(now.getHours())
    case 'k':
      return String(now.getHours()).padStart(2)
    case 'I':
      return two(hour12)
    case 'l':
      return String(hour12).padStart(2)
    case 'p':
      return now.getHours() < 12 ? 'AM' : 'PM'
    case 'P':
      return now.getHours() < 12 ? 'am' : 'pm'
    case 'M':
      return two(now.getMinutes())
    case 'S':
      return two(now.getSeconds())
    case 'f':
      return `${String(now.getMilliseconds()).padStart(3, '0')}000`
    case 'j':
      return String(dayOfYear(now) + 1).padStart(3, '0')
    case 'U':
      return two(Math.floor((dayOfYear(now) + 7 - now.getDay()) / 7))
    case 'W':
      return two(Math.floor((dayOfYear(now) + 7 - pythonModulo(now.getDay() - 1, 7)) / 7))
    case 'V':
      return two(isoWeek(now).week)
    case 'G':
      return String(isoWeek(now).year)
    case 'g':
      return two(isoWeek(now).year % 100)
    case 's':
      return String(Math.floor(now.getTime() / 1000))
    case 'c':
      return strftime(now, '%a %b %e %H:%M:%S %Y')
    case 'x':
    case 'D':
      return strftime(now, '%m/%d/%y')
    case 'X':
    case 'T':
      return strftime(now, '%H:%M:%S')
    case 'F':
      return strftime(now, '%Y-%m-%d')
    case 'R':
      return strftime(now, '%H:%M')
    case 'r':
      return strftime(now, '%I:%M:%S %p')
    case 'n':
      return '\n'
    case 't':
      return '\t'
    case 'z':
    case 'Z':
      return '' // the time has no zone
    case '%':
      return '%'
    default:
      return undefined
  }
}

function dayOfYear(now: Date): number {
  return Math.round((Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - Date.UTC(now.getFullYear(), 0, 1)) / 86_400_000)
}

function isoWeek(now: Date): { year: number; week: number } {
  const thursday = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + 4 - (now.getDay() || 7)))
  const year = thursday.getUTCFullYear()
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 / 7) + 1 }
}

/** Python's `%` for ints: the result has the sign of the divisor. */
export function pythonModulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
