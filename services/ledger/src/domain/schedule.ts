/** The job gets a second, then the sweep takes over: that is `interval '1 second'` in prisma/sql. */

/** How long a claim keeps others away. Whatever is begun claims its row anew, so this only has to cover a round trip. */
export const leaseSeconds = 5

/** After so many readings that never ended, a message would only break its readers again. */
export const claimsPerMessageMax = 10

/** A prompt is open on a phone for up to a minute; before that, a query's "no" may only mean "not yet". */
const promptLifeSeconds = 60

/** From which age on a query's "no" counts. A deployment that asks sooner means its prompts to be shorter. */
export function denyAfterSeconds(queryAfterSeconds: number): number {
  return Math.min(promptLifeSeconds, queryAfterSeconds)
}
