import { magicPhone } from '../../faults/rules/magic'
import { networkOf, type NewPhone, type Phone, type Policy, type SimState } from './phone'

/** The phones of one simulation by number. An unregistered number cannot pay. */
export interface PhoneRegistry {
  /** Registers the phone of a magic number when it is first looked up. */
  find(msisdn: string): Phone | undefined
  /** False, without a change, when the number is taken or the registry is full. */
  add(phone: NewPhone): boolean
  remove(msisdn: string): void
  /** Whether the phone was added, and is not one of those that every simulation has. */
  isAdded(msisdn: string): boolean
  all(): IterableIterator<Phone>
  size(): number
}

/** Enough for a load test of a thousand prompts a second that each stay open for a minute. */
export const phonesMax = 60_000

const askPolicy: Policy = { answer: 'ask', afterMs: 0 }

const person = (msisdn: string, name: string, balanceMinor: bigint, simState: SimState = 'on') =>
  ({
    msisdn,
    name,
    pin: '1234',
    balanceMinor,
    network: networkOf(msisdn),
    simState,
    policy: askPolicy,
  }) as const

/** The phones after a reset. The first number is from Safaricom's own samples. */
const firstPhones: readonly NewPhone[] = [
  person('254708374149', 'Amina', 5_000_000n),
  person('254712345678', 'Brian', 20_000_000n),
  person('254722000111', 'Chebet (little money)', 5_000n),
  person('254110222333', 'Daudi (phone off)', 1_000_000n, 'off'),
  person('254799444555', 'Esther (PIN locked)', 1_000_000n, 'locked'),
  person('254733123456', 'Moses', 5_000_000n),
  person('256772123456', 'Fatuma', 50_000_000n),
  person('256782345678', 'Grace', 600_000_000n),
  person('256762000111', 'Hassan (little money)', 50_000n),
  person('256772999000', 'Isaac (phone off)', 20_000_000n, 'off'),
  person('256752123456', 'Joan', 50_000_000n),
  person('256702345678', 'Kato', 600_000_000n),
  person('256742000111', 'Lydia (PIN locked)', 20_000_000n, 'locked'),
]

export function openPhoneRegistry(phones: readonly NewPhone[] = firstPhones): PhoneRegistry {
  const byMsisdn = new Map<string, Phone>()
  const first = new Set(phones.map(({ msisdn }) => msisdn))
  const registry: PhoneRegistry = {
    find(msisdn) {
      const magic = byMsisdn.has(msisdn) ? undefined : magicPhone(msisdn)
      if (magic !== undefined) registry.add(magic)
      return byMsisdn.get(msisdn)
    },
    add(phone) {
      if (byMsisdn.size >= phonesMax || byMsisdn.has(phone.msisdn)) return false
      byMsisdn.set(phone.msisdn, { ...phone, prompt: undefined, sms: [] })
      return true
    },
    remove(msisdn) {
      byMsisdn.delete(msisdn)
    },
    isAdded: (msisdn) =>
      byMsisdn.has(msisdn) && !first.has(msisdn) && magicPhone(msisdn) === undefined,
    all: () => byMsisdn.values(),
    size: () => byMsisdn.size,
  }
  for (const phone of phones) registry.add(phone)
  return registry
}
