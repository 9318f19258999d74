/** A longer time is shown in minutes. */
const longSeconds = 90
const plurals = new Intl.PluralRules(document.documentElement.lang)

const plural = (one, other, count) =>
  (plurals.select(count) === 'one' ? one : other).replace('#', count)

/** The countdown's sentence in the plural form of its number. */
export function counted({ dataset: { one, other, oneMinute, otherMinutes } }, seconds) {
  return oneMinute !== undefined && seconds > longSeconds
    ? plural(oneMinute, otherMinutes, Math.floor(seconds / 60))
    : plural(one, other, seconds)
}
