import { LRUCache } from 'lru-cache'
import { z } from 'zod'

/** The address of the payments host of each country, by the code of the country, such as `ke`. */
export type PaymentsUrls = Readonly<Partial<Record<string, string>>>

/**
 * Returns the texts to search for when a tester typed `words`. To a checkout's id it adds the id of the attempt and the
 * account number, because requests to providers never carry a checkout's id; both come from the public route that the
 * payer's page reads. An attempt's id becomes the digits that requests carry.
 */
export type SearchFor = (words: string) => Promise<readonly string[]>

const waitMs = 1_000
/** The tester's page searches again at each event, and the route is rate-limited, so an answer is reused this long. */
const freshMs = 2_000
const checkoutsMax = 1_000

const answerShape = z.object({
  data: z.object({
    checkout: z.object({
      intent_id: z.string().nullable(),
      paybill: z.object({ account_number: z.string() }).nullable(),
    }),
  }),
})

export function openSearchFor(urls: PaymentsUrls): SearchFor {
  // The route names no attempt that has failed, so the attempts that it named earlier are kept.
  const found = new LRUCache<string, ReadonlySet<string>>({ max: checkoutsMax })
  const fresh = new LRUCache<string, true>({ max: checkoutsMax, ttl: freshMs })
  return async (typed) => {
    const words = typed.trim().toLowerCase()
    const [, country = ''] = /^cs_([a-z]{2})_[0-9a-f]{24}$/.exec(words) ?? []
    const url = urls[country]
    if (url === undefined) return attemptWords(words)
    if (!fresh.has(words)) {
      fresh.set(words, true)
      found.set(words, new Set([...(found.get(words) ?? []), ...(await ask(url, words))]))
    }
    return [words, ...(found.get(words) ?? [])]
  }
}

async function ask(url: string, checkoutId: string): Promise<readonly string[]> {
  const address = `${url}/v1/payments/public/checkouts/${checkoutId}`
  const answer = await fetch(address, { signal: AbortSignal.timeout(waitMs) })
    .then((response) => response.json())
    .catch(() => undefined)
  const read = answerShape.safeParse(answer)
  if (!read.success) return []
  const { intent_id: intentId, paybill } = read.data.data.checkout
  return [
    ...(intentId === null ? [] : attemptWords(intentId)),
    ...(paybill === null ? [] : [paybill.account_number.toLowerCase()]),
  ]
}

/** The digits of an attempt's id as requests carry them: in one piece, or as MTN's X-Reference-Id. */
function attemptWords(words: string): readonly string[] {
  const [, hex] = /^pi_([0-9a-f]{24})$/.exec(words) ?? []
  return hex === undefined ? [words] : [hex, `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4`]
}
