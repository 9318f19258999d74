import type { Language } from './texts/texts'

/** Formats instants in the country's time zone, not in the browser's. */
export interface Times {
  /** `14:32` */
  clock(instant: Date): string
  /** `20 Nov 2026, 14:32` */
  date(instant: Date): string
}

/** Rounds an instant up to the minute, so that a clock without seconds does not show it too early. */
export function minuteUp(instant: Date): Date {
  return new Date(Math.ceil(instant.getTime() / 60_000) * 60_000)
}

export function openTimes(timeZone: string): Readonly<Record<Language, Times>> {
  return {
    en: timesOf('en-GB', timeZone),
    sw: timesOf('sw', timeZone),
    lg: timesOf('lg', timeZone),
  }
}

function timesOf(locale: string, timeZone: string): Times {
  const hours = { timeZone, hourCycle: 'h23' } as const
  const clock = new Intl.DateTimeFormat(locale, { ...hours, hour: '2-digit', minute: '2-digit' })
  const date = new Intl.DateTimeFormat(locale, {
    ...hours,
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return { clock: (instant) => clock.format(instant), date: (instant) => date.format(instant) }
}

/** `678`: the only digits of a phone that a page shows, because everyone with the link sees it. */
export function phoneTail(phone = ''): string {
  return phone.slice(-3)
}
