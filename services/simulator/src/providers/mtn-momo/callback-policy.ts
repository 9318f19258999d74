/**
 * How MTN calls back, by the one of its two pages that describes retries (providers.md, fact 8): after two seconds
 * without an answer, 20 times each second, then 30 times every two minutes, then every hour. The other page says "once".
 */
export const callbackTimeoutMs = 2_000

const everySecond = 20
const everyTwoMinutes = 30
/** "Until it is unblocked": three days are for ever here. */
const everyHour = 72

export function retryAfterMs(failures: number): number | undefined {
  if (failures <= everySecond) return 1_000
  if (failures <= everySecond + everyTwoMinutes) return 120_000
  return failures <= everySecond + everyTwoMinutes + everyHour ? 3_600_000 : undefined
}
