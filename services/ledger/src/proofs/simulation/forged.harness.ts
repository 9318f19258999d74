import type { Received } from './inbox.harness'
import type { Prompt } from './provider.harness'
import type { Setting } from './setting.harness'
import type { Intent, Reported } from './tables.harness'

export function received(
  intentId: number | undefined,
  kind: Received['kind'],
  reported: Reported,
): Received {
  return { intentId, kind, reported, isSourceKnown: true }
}

/**
 * What a gateway that was broken into makes up where the amount is above what a callback alone is credited for: money of a
 * prompt that its payer declined, and money from the menu that was never paid. Everything about it is right, down to our
 * answer to the validation.
 */
export function forgedInside(
  { id, reference, askedMinor }: Intent,
  prompt: Prompt | undefined,
  { unconfirmedMaxMinor, country }: Setting,
): Received[] {
  if (reference === undefined || askedMinor <= unconfirmedMaxMinor) return []
  const reported = { kind: 'receipt', minor: askedMinor } as const
  // Where there is no menu, no payment is validated, and no answer of ours can come back.
  const isSigned = country === 'ke'
  const menu = received(undefined, 'callback', {
    ...reported,
    receipt: 'F1',
    account: reference,
    isSigned,
  })
  if (prompt?.state !== 'declined' || prompt.rail !== 'mpesa') return [menu]
  const { requestId } = prompt
  return [received(id, 'callback', { ...reported, receipt: 'F2', requestId }), menu]
}
