import type { Merchant } from '../merchant'
import type { Play } from './plays'
import type { Finding, Tester } from './tester'

/** A story that was played to its end, with what the inspector says of it. */
export interface Played extends Finding {
  readonly story: string
  readonly seconds: number
  /** What the merchant reads, and the receipt of the money if some came. */
  readonly ended: string
}

/** A story that takes longer than a minute has failed. */
export const secondsAllowed = 60

interface Stage {
  readonly merchant: Merchant
  readonly tester: Tester
  /**
   * The amount of the checkout. `play-packs.ts` varies it, because a provider refuses an amount that the same phone has
   * paid in the last two minutes.
   */
  readonly amountMinor: number
  /** What the payer is asked for. */
  readonly askedMinor: number
}

/** Throws if a page of the payer or the merchant differs from the story, or the inspector does not explain the end. */
export async function playStory(story: string, play: Play, stage: Stage): Promise<Played> {
  const { merchant, tester, amountMinor, askedMinor } = stage
  const startedAtMs = performance.now()
  await tester.choose(story)
  await tester.picture(`${story}-1-chosen`)
  const order = await merchant.createCheckout({
    amount: amountMinor,
    description: `Story: ${story}`,
  })
  await tester.arrive(order)
  await play.act(tester)
  await tester.picture(`${story}-2-under-way`)
  await tester.reads(play.payerReads)
  const found = await tester.inspect(play.badge, play.why)
  await tester.picture(`${story}-3-ended`)
  const seconds = (performance.now() - startedAtMs) / 1_000
  const { status, payment } = await merchant.readCheckout(order.id)
  if (!play.status.includes(status))
    throw new Error(
      `${story}: the merchant reads ${status}, and the story tells ${play.status.join(' or ')}`,
    )
  const settled = payment?.amount_settled ?? undefined
  if (status === 'completed' && settled !== String(askedMinor))
    throw new Error(`${story}: the merchant got ${String(settled)} of ${String(askedMinor)}`)
  const ended = [status, payment?.status, payment?.provider_receipt].filter(Boolean).join(', ')
  return { story, seconds, ended, ...found }
}
