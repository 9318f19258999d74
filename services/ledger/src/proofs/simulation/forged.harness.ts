import type { Received } from './inbox.harness'
import type { Prompt, ProviderBook } from './provider.harness'
import type { Setting } from './setting.harness'
import type { Intent, Reported } from './tables.harness'

interface Around {
  readonly setting: Setting
  readonly ledger: { readonly intents: readonly Intent[] }
  readonly book: ProviderBook
}

export function received(
  intentId: number | undefined,
  kind: Received['kind'],
  reported: Reported,
): Received {
  return { intentId, kind, reported, isSourceKnown: true }
}

/**
 * Callbacks that a broken-into gateway makes up for amounts above those that a callback alone is credited for: money of
 * a prompt that its payer declined, and money from the menu that was never paid. They pass every check, those of the
 * menu with even our answer to the validation, except one callback that has the id of another prompt.
 */
export function forgedInside(
  { id, reference, askedMinor }: Intent,
  prompt: Prompt | undefined,
  { setting: { unconfirmedMaxMinor, country }, ledger, book }: Around,
): Received[] {
  if (reference === undefined || askedMinor <= unconfirmedMaxMinor) return []
  const reported = { kind: 'receipt', minor: askedMinor } as const
  // A country without a menu has no validation whose answer could come back.
  const isSigned = country === 'ke'
  const menu = received(undefined, 'callback', {
    ...reported,
    receipt: 'F1',
    account: reference,
    isSigned,
  })
  if (prompt?.state !== 'declined' || prompt.rail !== 'mpesa') return [menu]
  const { requestId } = prompt
  const made = (receipt: string, named: number) =>
    received(id, 'callback', { ...reported, receipt, requestId: named })
  // The id of another prompt, which was paid and whose call was answered.
  const other = ledger.intents.find(
    (one) => one.id !== id && one.rail === 'mpesa' && book.prompts[one.requestId ?? -1]?.paid,
  )
  const stolen = other?.requestId === undefined ? [] : [made('F3', other.requestId)]
  return [...stolen, made('F2', requestId), menu]
}
