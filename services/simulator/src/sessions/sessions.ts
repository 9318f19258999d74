import { guestCapacity } from './rules/capacity'
import { openRecent } from './rules/recent'
import { homeName } from './rules/session'
import { openSimulationHost, type SimulationHost, type HostWiring } from './simulation-host'

/** The simulations of this process: one that is always there, and one for every test run that asks. */
export interface Sessions {
  readonly home: SimulationHost
  /** The session of this name, opened if it is new. Undefined when the most sessions are in use. */
  enter(name: string): SimulationHost | undefined
  /**
   * The session that added one of these phone numbers or accepted one of these requests; the home session when none
   * did.
   */
  claimantOf(values: Iterable<string>): SimulationHost
  /**
   * Notes that a provider call named the session. From then on it claims no call that names none, and its payments are
   * in no other session's statement.
   */
  setApart(host: SimulationHost): void
  stop(): void
}

/** Twenty test runs may be parallel, and a few sessions more may be left from runs that were aborted. */
const sessionsMax = 24
/** A session is dropped when for this long no request has named it and it has claimed none. */
const idleMs = 30 * 60_000

interface Guest {
  readonly host: SimulationHost
  readonly claims: Claims
  isApart: boolean
  lastUsedMs: number
}

export function openSessions(
  given: Omit<HostWiring, 'otherBooks' | 'names' | 'end'>,
  seed: string,
): Sessions {
  const guests = new Map<string, Guest>()
  const end = (name: string) => {
    guests.get(name)?.host.stop()
    return guests.delete(name)
  }

  const otherBooks = () =>
    [...guests.values()]
      .filter(({ isApart }) => !isApart)
      .map(({ host }) => host.current().world.book)
  const names = () => [homeName, ...guests.keys()]
  const wiring = { ...given, names, end }
  const home = openSimulationHost({ ...wiring, otherBooks }, { name: homeName, isHome: true }, seed)
  const guestWiring = {
    ...wiring,
    capacity: guestCapacity(wiring.capacity),
    otherBooks: () => [],
  }

  const open = (name: string): Guest | undefined => {
    const nowMs = wiring.clock.now()
    for (const [other, { lastUsedMs }] of guests) if (nowMs - lastUsedMs > idleMs) end(other)
    if (guests.size >= sessionsMax) return undefined
    const host = openSimulationHost(guestWiring, { name, isHome: false }, wiring.newSeed())
    const guest = { host, claims: claimsOf(host), isApart: false, lastUsedMs: nowMs }
    guests.set(name, guest)
    return guest
  }

  return {
    home,
    enter(name) {
      if (name === homeName) return home
      const guest = guests.get(name) ?? open(name)
      if (guest !== undefined) guest.lastUsedMs = wiring.clock.now()
      return guest?.host
    },
    claimantOf(values) {
      if (guests.size === 0) return home
      const wanted = [...values]
      const claimant = [...guests.values()].find(
        ({ isApart, claims }) => !isApart && wanted.some((value) => claims.has(value)),
      )
      if (claimant !== undefined) claimant.lastUsedMs = wiring.clock.now()
      return claimant?.host ?? home
    },
    setApart(host) {
      const guest = guests.get(host.session.name)
      if (guest !== undefined) guest.isApart = true
    },
    stop() {
      home.stop()
      for (const name of [...guests.keys()]) end(name)
    },
  }
}

interface Claims {
  has(value: string): boolean
}

/** More requests and receipts than a test run makes before a call names the first of them again. */
const requestsKept = 20_000

/** Some providers want a number without its country code. */
const callingCodes = ['', '254', '256']

/** Knows the phones, requests and receipts of a session, until a reset discards them. */
function claimsOf(host: SimulationHost): Claims {
  let requests = openRecent<true>(requestsKept)
  host.listen(({ kind, facts }) => {
    if (kind === 'reset') requests = openRecent(requestsKept)
    if (kind === 'push_accepted' || kind === 'payout_accepted')
      requests.set(String(facts['reference']), true)
    // A reversal or a query names the payment by its receipt.
    if (kind === 'money_moved') requests.set(String(facts['receipt']), true)
  })
  const isOwnPhone = (value: string) => {
    const { phones } = host.current().world
    return callingCodes.some((code) => phones.isAdded(code + value))
  }
  return { has: (value) => requests.get(value) === true || isOwnPhone(value) }
}
