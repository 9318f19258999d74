import type { Refund } from '../../../refunds/rules/state'
import type { RefundCall } from '../../../refunds/rules/decide-sending'
import { openRandom, type Random, type PlantedRule, withRules } from '../rules.harness'
import { openRefundUrn, type RefundAction } from './refund-chances.harness'
import { SimulatedRefunds } from './refund-ledger.harness'
import { RefundOracle } from './refund-oracle.harness'
import { RefundBook } from './refund-provider.harness'
import {
  drawRefundSetting,
  type Incoming,
  people,
  type Person,
  requestName,
  type RefundSetting,
} from './refund-tables.harness'

/** A mutant: the rules that it changes, or its ledger instead of the sound one. */
export interface RefundSpecies {
  readonly rules?: readonly PlantedRule[]
  readonly Ledger: new (setting: RefundSetting) => SimulatedRefunds
}

export const soundRefunds: RefundSpecies = { Ledger: SimulatedRefunds }

export const refundLeaps = [1, 4, 30, 60, 600, 1_900, 7_200, 90_000, 300_000]
const actionsMin = 10
const actionsSpread = 50
/** Times that pass at the end, days in all, in which nothing fails. In seconds. */
const healing = [60, 600, 1_900, 90_000, 300_000]

/** The first seed that breaks something, and what. */
export function exploreRefunds(species: RefundSpecies, worlds: number): string | undefined {
  return withRules(species.rules ?? [], () => {
    for (let seed = 1; seed <= worlds; seed += 1) {
      const broken = runRefunds(species, openRandom(seed))
      if (broken !== undefined) return `seed ${String(seed)}: ${broken}`
    }
    return undefined
  })
}

function runRefunds(species: RefundSpecies, random: Random): string | undefined {
  const world = new RefundWorld(new species.Ledger(drawRefundSetting(random)), random)
  const actions = actionsMin + random(actionsSpread)
  for (let done = 0; done < actions; done += 1) {
    if (random(10) === 0) world.pass(refundLeaps[random(refundLeaps.length)] ?? 1)
    const broken = world.act()
    if (broken !== undefined) return broken
  }
  return world.heal(healing)
}

/**
 * Two people who may be wrong, a worker that dies, a provider that is silent, late and contrary, and a forger, around
 * the refunds of one receipt.
 */
export class RefundWorld {
  readonly ledger: SimulatedRefunds
  private readonly book: RefundBook
  private readonly oracle: RefundOracle
  private readonly random: Random
  private readonly onProgress: ((line: string) => void) | undefined
  private readonly air: Incoming[] = []
  private readonly unread: number[] = []
  private readonly draw: () => RefundAction

  constructor(ledger: SimulatedRefunds, random: Random, onProgress?: (line: string) => void) {
    this.ledger = ledger
    this.random = random
    this.onProgress = onProgress
    this.book = new RefundBook(ledger.setting, random)
    this.oracle = new RefundOracle(ledger, this.book)
    const { air, unread } = this
    this.draw = openRefundUrn(random, { ledger, orders: this.book.orders, air, unread })
  }

  private readonly actions: Readonly<Record<RefundAction, () => void>> = {
    ask: () => {
      const by = this.person()
      const sentBy = this.random(6) === 0 ? 'provider' : 'us'
      this.trace(`${by} asks for a refund by ${sentBy}`, this.ledger.ask(sentBy, by))
    },
    decide: () => {
      this.with((id, { askedBy }) => {
        const [isAgreed, by] = [this.random(5) > 0, this.second(askedBy)]
        const event = `${by} ${isAgreed ? 'agrees to' : 'withdraws'} refund ${String(id)}`
        this.trace(event, this.ledger.decide(id, { isAgreed, by }))
      })
    },
    send: () => {
      this.with((id) => {
        this.send(id)
      })
    },
    resolve: () => {
      this.air.push(...this.book.resolve())
    },
    deliver: () => {
      this.deliver()
    },
    query: () => {
      this.with((id) => {
        this.query(id)
      })
    },
    close: () => {
      this.with((id) => {
        this.close(id)
      })
    },
    decideClosing: () => {
      this.with((id, { closing, closingAskedBy }) => {
        const [isAgreed, by] = [this.random(5) > 0, this.second(closingAskedBy)]
        const event = `${by} ${isAgreed ? 'agrees to' : 'withdraws'} the closing of ${String(id)}`
        const end = closing ?? 'paid'
        this.trace(event, this.ledger.decideClosing(id, { isAgreed, end, by }))
      })
    },
    forge: () => {
      this.forge()
    },
    sweep: () => {
      this.sweep()
    },
    read: () => {
      this.read()
    },
  }

  act(): string | undefined {
    this.actions[this.draw()]()
    return this.oracle.check()
  }

  pass(seconds: number): void {
    this.ledger.pass(seconds)
    this.onProgress?.(`${String(seconds)} s pass`)
  }

  private trace(what: string, answer: unknown): void {
    this.onProgress?.(`${what}: ${String(answer)}`)
  }

  private person(): Person {
    return people[this.random(people.length)] ?? 'amina'
  }

  /** Draws the person who decides: mostly another than the one who asked. */
  private second(first: string | null): Person {
    const other = people.find((one) => one !== first) ?? 'brian'
    return this.random(4) > 0 ? other : this.person()
  }

  private with(act: (id: number, refund: Refund) => void): void {
    const { refunds } = this.ledger
    const id = this.random(4) > 0 ? refunds.length - 1 : this.random(refunds.length || 1)
    const refund = refunds[id]
    if (refund !== undefined) act(id, refund)
  }

  /** The worker may die before the call or after it, and the call or its answer may be lost. */
  private send(id: number, fate = this.random(8)): void {
    const isTaken = this.ledger.begin(id)
    this.trace(`a worker begins to send refund ${String(id)}`, isTaken)
    if (!isTaken) return
    this.oracle.sends(id)
    if (fate === 0) return
    if (fate === 1) this.record(id, { outcome: 'refused', providerCode: '2001' })
    if (fate === 2) this.record(id, { outcome: 'not_sent', providerCode: 'no connection' })
    if (fate <= 2) return
    const { requestId } = this.book.take(id, this.ledger.now)
    if (fate === 3) this.record(id, { outcome: 'unknown', providerCode: 'no answer' })
    if (fate <= 4) return
    this.record(id, { outcome: 'accepted', providerRequestId: requestName(requestId) })
  }

  private record(id: number, call: RefundCall): void {
    const answer = this.ledger.record(id, call)
    this.trace(`the call of refund ${String(id)} was ${call.outcome}`, answer)
  }

  private deliver(): void {
    const place = this.random(this.air.length || 1)
    const incoming = this.air[place]
    if (incoming === undefined) return
    if (this.random(3) > 0) this.air.splice(place, 1)
    const messageId = this.ledger.receive(incoming)
    const { report, kind, refundId } = incoming
    this.trace(`a ${kind} about refund ${String(refundId)} says ${report}`, messageId)
    if (messageId === undefined) return
    if (this.random(4) > 0) this.apply(messageId)
    else this.unread.push(messageId)
  }

  /** A job may come twice, and late. */
  private read(): void {
    const messageId = this.unread[this.random(this.unread.length || 1)]
    if (messageId !== undefined) this.apply(messageId)
  }

  private apply(messageId: number): void {
    this.trace(`message ${String(messageId)} is applied`, this.ledger.apply(messageId))
  }

  /** The provider answers what it knows, or nothing, or something that decides nothing. */
  private query(id: number, isTrue = false): void {
    const isTaken = this.ledger.beginQuery(id)
    this.trace(`a worker asks about refund ${String(id)}`, isTaken)
    if (!isTaken) return
    this.oracle.asks(id)
    const fate = isTrue ? 9 : this.random(10)
    if (fate < 3 || (!isTrue && this.ledger.setting.trait === 'silent')) return
    const answer = this.answer(id)
    if (fate === 3) this.air.push({ ...answer, report: 'undecided', minor: undefined })
    else if (fate === 4) this.air.push({ ...answer, report: 'unreadable', minor: undefined })
    else if (!isTrue) this.air.push(answer)
    else this.receive(answer)
  }

  private answer(id: number): Incoming {
    return this.book.answer(id, this.ledger.refunds[id]?.providerRequestId != null)
  }

  private receive(incoming: Incoming): void {
    const messageId = this.ledger.receive(incoming)
    if (messageId !== undefined) this.apply(messageId)
  }

  /** Workers claim what is due. */
  private sweep(isTrue = false): void {
    const works = this.ledger.claim()
    this.trace('what is due', works.map(({ kind, id }) => `${kind} ${id}`).join(', '))
    for (const { kind, id } of works) {
      this.oracle.claims(+id)
      // A worker may die before it does what it claimed.
      if (!isTrue && this.random(3) === 0) continue
      if (kind === 'refund') this.send(+id, isTrue ? 7 : undefined)
      else this.query(+id, isTrue)
    }
  }

  /** An operator asks to close a refund, and may be wrong, too early, or the one who asked for it. */
  private close(id: number): void {
    const before = this.ledger.refunds[id]
    const [end, by] = [this.random(2) === 0 ? 'paid' : 'failed', this.person()] as const
    const answer = this.ledger.askClosing(id, end, by)
    this.trace(`${by} asks to close refund ${String(id)} as ${end}`, answer)
    const isFree = answer !== 'asked' || before?.nextActionAt === null
    this.oracle.expect('no refund is closed while it is still asked about', isFree)
  }

  /** A forged callback has a listed source or names our request, but not both, unless its address is a wrong guess. */
  private forge(): void {
    this.with((refundId, { providerRequestId }) => {
      const report = this.random(2) === 0 ? 'refunded' : 'refused'
      const isAddressKnown = this.random(4) > 0
      const isSourceKnown = this.random(2) === 0
      const isNamed = !isSourceKnown || !isAddressKnown
      const isUnnamed = providerRequestId === null
      if (isSourceKnown && isAddressKnown && report === 'refunded' && isUnnamed) return
      const known = isUnnamed ? undefined : +providerRequestId.slice(requestName(0).length - 1)
      this.air.push({
        ...{ refundId, kind: 'callback', report, requestId: isNamed ? known : -1 },
        ...{ isSourceKnown, isAddressKnown, body: `forged ${report}` },
      })
    })
  }

  /** The provider answers truthfully from now on, and days pass. */
  heal(passes: readonly number[]): string | undefined {
    for (const order of this.book.orders) if (order.state === 'open') order.state = 'refused'
    for (const messageId of this.unread.splice(0)) this.apply(messageId)
    const undecided = new Set(
      this.ledger.refunds.flatMap(({ status, nextActionAt }, id) =>
        status === 'submitted' && nextActionAt === null ? [id] : [],
      ),
    )
    for (const seconds of passes) {
      this.pass(seconds)
      this.sweep(true)
      for (const order of this.book.orders) if (order.state === 'open') order.state = 'paid'
    }
    for (const { refundId } of [...this.book.orders]) this.receive(this.answer(refundId))
    return this.oracle.checkEnd(undecided)
  }
}
