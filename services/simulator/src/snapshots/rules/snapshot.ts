import type { NewPhone, Phone, Sms } from '../../phones/rules/phone'
import type { Rule } from '../../faults/rules/rule'
import type { World } from '../../sessions/rules/world'

/**
 * A snapshot of the scenario: phones, balances and rules. Not the book, ids and events, which continue: a ledger has
 * received those payments, and receipts must stay unique.
 */
export interface Snapshot {
  readonly id: string
  readonly name: string
  /** In virtual time. */
  readonly takenAtMs: number
  readonly phones: readonly KeptPhone[]
  readonly rules: readonly Rule[]
}

interface KeptPhone extends NewPhone {
  readonly sms: readonly Sms[]
}

export function takeSnapshot(world: World, id: string, name: string): Snapshot {
  return {
    id,
    name,
    takenAtMs: world.time.now(),
    phones: [...world.phones.all()].map(({ prompt: _open, ...phone }) => phone),
    rules: world.rules.all().map((rule) => ({ ...rule })),
  }
}

/**
 * Restores a snapshot. A prompt that is open now stays open, and its phone stays even if the snapshot lacks it. Each
 * rule is as old, in virtual time, as when the snapshot was taken.
 */
export function restoreSnapshot(world: World, snapshot: Snapshot): void {
  const kept = new Map(snapshot.phones.map((phone) => [phone.msisdn, phone]))
  for (const phone of [...world.phones.all()]) {
    const was = kept.get(phone.msisdn)
    if (was !== undefined) putBack(phone, was)
    else if (phone.prompt === undefined) world.phones.remove(phone.msisdn)
  }
  for (const phone of snapshot.phones) {
    if (world.phones.add(phone)) restoreSms(world.phones.find(phone.msisdn), phone.sms)
  }
  const laterMs = world.time.now() - snapshot.takenAtMs
  world.rules.replace(
    snapshot.rules.map((rule) => ({ ...rule, madeAtMs: rule.madeAtMs + laterMs })),
  )
}

function putBack(phone: Phone, was: KeptPhone): void {
  const { name, network, pin, balanceMinor, simState, policy, sms } = was
  Object.assign(phone, { name, network, pin, balanceMinor, simState, policy, sms })
}

function restoreSms(phone: Phone | undefined, sms: readonly Sms[]): void {
  if (phone !== undefined) phone.sms = sms
}
