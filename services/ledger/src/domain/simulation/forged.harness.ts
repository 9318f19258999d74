import type { Minor } from '@malipo/kernel/money'
import type { Heard } from './inbox.harness'
import type { Prompt } from './provider.harness'
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
  unconfirmedMaxMinor: Minor,
): Heard[] {
  if (askedMinor <= unconfirmedMaxMinor) return []
  const said = { kind: 'receipt', minor: askedMinor } as const
  const account = reference ?? ''
  const menu = heard(undefined, 'callback', { ...said, receipt: 'F1', account, isSealed: true })
  if (prompt?.state !== 'declined' || prompt.rail !== 'mpesa') return [menu]
  const { requestId } = prompt
  return [heard(id, 'callback', { ...said, receipt: 'F2', requestId }), menu]
}
