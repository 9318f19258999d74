import type { Random } from '../random.harness'
import { never } from '../tables.harness'
import type { Person, Refund, SimulatedRefunds, Word } from './refund-ledger.harness'

/** What the provider was sent, and what it did. */
interface Order {
  readonly refundId: number
  readonly requestId: number
  state: 'open' | 'paid' | 'refused'
}

export type RefundSpecies = new () => SimulatedRefunds

const people = ['amina', 'brian'] as const
const leaps = [1, 30, 60, 600, 1_900, 7_200, 90_000, 300_000]
const actionsMin = 10
const actionsSpread = 40
const healRounds = 400

/**
 * Two people who may be wrong, a worker that dies, a provider that is silent, late and contrary, and a forger, around the
 * refunds of one receipt. Answers what is broken at the end of a seed, if anything.
 */
export function runRefunds(Ledger: RefundSpecies, random: Random): string | undefined {
  const world = new RefundWorld(new Ledger(), random)
  const actions = actionsMin + random(actionsSpread)
  for (let done = 0; done < actions; done += 1) {
    const broken = world.act()
    if (broken !== undefined) return broken
  }
  return world.heal()
}

class RefundWorld {
  private readonly orders: Order[] = []
  private readonly air: Word[] = []
  private readonly sent = new Set<number>()
  private broken: string | undefined
  private mistakes = 0
  private readonly ledger: SimulatedRefunds
  private readonly random: Random

  constructor(ledger: SimulatedRefunds, random: Random) {
    this.ledger = ledger
    this.random = random
  }

  private readonly actions: readonly (() => void)[] = [
    () => {
      this.ledger.ask(this.person())
    },
    () => {
      this.with((refund) => {
        this.ledger.decide(refund, this.random(5) > 0, this.person())
      })
    },
    () => {
      this.with((refund) => {
        this.send(refund)
      })
    },
    () => {
      this.resolve()
    },
    () => {
      this.deliver()
    },
    () => {
      this.with((refund) => {
        this.query(refund)
      })
    },
    () => {
      this.with((refund) => {
        this.close(refund)
      })
    },
    () => {
      this.with((refund) => {
        this.ledger.decideClosing(refund, this.random(5) > 0, this.person())
      })
    },
    () => {
      this.forge()
    },
    () => {
      this.ledger.now += leaps[this.random(leaps.length)] ?? 1
    },
  ]

  private person(): Person {
    return people[this.random(people.length)] ?? 'amina'
  }

  private with(act: (refund: Refund) => void): void {
    const { refunds } = this.ledger
    const refund =
      refunds[this.random(4) > 0 ? refunds.length - 1 : this.random(refunds.length || 1)]
    if (refund !== undefined) act(refund)
  }

  private expect(what: string, holds: boolean): void {
    if (!holds) this.broken ??= what
  }

  act(): string | undefined {
    this.actions[this.random(this.actions.length)]?.()
    return this.check()
  }

  /** The worker may die before the call or after it, and the call or its answer may be lost. */
  private send(refund: Refund): void {
    if (!this.ledger.begin(refund)) return
    this.expect('a refund is sent once', !this.sent.has(refund.id))
    this.sent.add(refund.id)
    const isOfTwo = refund.decidedBy !== undefined && refund.decidedBy !== refund.askedBy
    this.expect('two people agreed to what is sent', isOfTwo)
    const fate = this.random(6)
    if (fate === 0) return
    if (fate === 1) {
      this.ledger.record(refund, 'refused')
      return
    }
    const requestId = this.orders.length
    this.orders.push({ refundId: refund.id, requestId, state: 'open' })
    if (fate > 2) this.ledger.record(refund, 'accepted', requestId)
  }

  /** The provider carries out what it was told, or refuses, and calls, or does not. */
  private resolve(): void {
    const open = this.orders.filter(({ state }) => state === 'open')
    const order = open[this.random(open.length || 1)]
    if (order === undefined) return
    order.state = this.random(3) > 0 ? 'paid' : 'refused'
    if (this.random(3) > 0) this.air.push(this.wordOf(order, 'callback'))
    // Providers have called to say no beside their yes.
    if (this.random(8) === 0) this.air.push({ ...this.wordOf(order, 'callback'), fact: 'declined' })
  }

  private wordOf({ refundId, requestId, state }: Order, kind: Word['kind']): Word {
    const fact = state === 'open' ? 'stands' : state === 'paid' ? 'receipt' : 'declined'
    return { refundId, kind, fact, requestId, isSourceKnown: true }
  }

  private deliver(): void {
    const place = this.random(this.air.length || 1)
    const word = this.air[place]
    if (word === undefined) return
    if (this.random(3) > 0) this.air.splice(place, 1)
    this.ledger.receive(word)
  }

  /** The provider tells what it knows, or nothing; what it never received, it has as paid still. */
  private query(refund: Refund, isTrue = false): void {
    if (!this.ledger.beginQuery(refund) || (!isTrue && this.random(3) === 0)) return
    const order = this.orders.find(({ refundId }) => refundId === refund.id)
    const stands = { refundId: refund.id, kind: 'query_answer', fact: 'stands' } as const
    const word: Word =
      order === undefined
        ? { ...stands, requestId: undefined, isSourceKnown: true }
        : this.wordOf(order, 'query_answer')
    if (isTrue) this.ledger.receive(word)
    else this.air.push(word)
  }

  /** The operator who looks it up may be wrong, too early, or the one who already asked. */
  private close(refund: Refund): void {
    const hadNone = refund.closing === undefined
    const isWatched = refund.nextActionAt !== never
    this.ledger.askClosing(refund, this.random(2) === 0 ? 'paid' : 'failed', this.person())
    const isAsked = hadNone && refund.closing !== undefined
    this.expect('no refund is closed while it is still asked about', !isAsked || !isWatched)
  }

  private forge(): void {
    this.with(({ id, requestId }) => {
      const fact = this.random(2) === 0 ? 'receipt' : 'declined'
      const isKnown = this.random(2) === 0
      // Who knows neither the list of addresses nor our request has one of the two at most.
      const named = isKnown ? -1 : requestId
      if (isKnown && fact === 'receipt' && requestId === undefined) return
      this.air.push({
        refundId: id,
        kind: 'callback',
        fact,
        requestId: named,
        isSourceKnown: isKnown,
      })
    })
  }

  private check(): string | undefined {
    const { posted, refunds, contradictions } = this.ledger
    const moved = this.orders.filter(({ state }) => state === 'paid').length
    const closed = refunds.filter(({ closing, closedBy }) => closing !== undefined && closedBy)
    this.mistakes = closed.filter(({ closing }) => closing === 'paid').length
    this.expect('money goes back once', posted <= 1)
    this.expect('what goes back is seen to have gone', posted === 0 || moved + this.mistakes > 0)
    const underway = refunds.filter((one) => this.ledger.isUnderway(one)).length
    this.expect('one refund of a receipt is underway', underway <= 1)
    this.expect('what is paid is posted', posted === refunds.filter(isPaid).length)
    const isOfTwo = closed.every((one) => one.closedBy !== one.closingAskedBy)
    this.expect('two people close', isOfTwo)
    this.expect(
      'what does not go with it was said',
      contradictions.every(({ isSourceKnown }) => isSourceKnown),
    )
    return this.ledger.refusal ?? this.broken
  }

  /** The provider answers truthfully from now on, and three days pass: what the provider did is known, or waits for two people. */
  heal(): string | undefined {
    for (const order of this.orders) if (order.state === 'open') order.state = 'refused'
    for (let round = 0; round < healRounds; round += 1) {
      this.ledger.now += 1_200
      for (const refund of this.ledger.refunds) this.query(refund, true)
    }
    for (const order of this.orders) this.ledger.receive(this.wordOf(order, 'query_answer'))
    const broken = this.check()
    if (broken !== undefined) return broken
    const paid = this.orders.filter(({ state }) => state === 'paid')
    this.expect('what went back is posted', paid.length === 0 || this.ledger.posted === 1)
    const told = new Set(this.ledger.contradictions.map(({ refundId }) => refundId))
    const unseen = paid.filter(({ refundId }) => {
      const refund = this.ledger.refunds[refundId]
      return refund !== undefined && !isPaid(refund) && !told.has(refundId)
    })
    this.expect('what went back a second time is shown', unseen.length === 0)
    const denied = this.orders.filter(({ refundId, state }) => {
      const refund = this.ledger.refunds[refundId]
      return state === 'refused' && refund !== undefined && isPaid(refund) && !told.has(refundId)
    })
    this.expect('what was closed as paid and was not is shown', denied.length === 0)
    return this.broken
  }
}

function isPaid({ status }: Refund): boolean {
  return status === 'paid'
}
