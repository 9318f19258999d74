import type { Heard } from './inbox.harness'
import type { Prompt } from './provider.harness'
import type { Setting } from './setting.harness'
import type { Intent, Said } from './tables.harness'

export function heard(intentId: number | undefined, kind: Heard['kind'], said: Said): Heard {
  return { intentId, kind, said, isSourceKnown: true }
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
): Heard[] {
  if (askedMinor <= unconfirmedMaxMinor) return []
  const said = { kind: 'receipt', minor: askedMinor } as const
  const account = reference ?? ''
  // Where there is no menu, no payment is validated, and no answer of ours can come back.
  const isSealed = country === 'ke'
  const menu = heard(undefined, 'callback', { ...said, receipt: 'F1', account, isSealed })
  if (prompt?.state !== 'declined' || prompt.rail !== 'mpesa') return [menu]
  const { requestId } = prompt
  return [heard(id, 'callback', { ...said, receipt: 'F2', requestId }), menu]
}
