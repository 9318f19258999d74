/** What is longer is counted in minutes first. */
const longSeconds = 90
const plurals = new Intl.PluralRules(document.documentElement.lang)

const plural = (one, other, count) =>
  (plurals.select(count) === 'one' ? one : other).replace('#', count)

/** The sentence of a countdown in the plural that its number takes. */
export function counted({ dataset: { one, other, oneMinute, otherMinutes } }, seconds) {
  return oneMinute !== undefined && seconds > longSeconds
    ? plural(oneMinute, otherMinutes, Math.floor(seconds / 60))
    : plural(one, other, seconds)
}
