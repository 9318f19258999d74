import { countries } from '@malipo/kernel/countries'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { Pool } from 'pg'
import { openSetClock, type SetClock } from '../../clock.harness'
import { times } from '../simulation/core.harness'
import type { Setting } from '../simulation/setting.harness'
import type { Moment } from '../simulation/tables.harness'
import { type RunningLedger, startLedger } from '../../start.harness'
import { expireOverdue } from '../../intents/store/expire-overdue'
import { payBillNumberKey } from '../../pay-bill/pay-bill.harness'
import { inParallel } from '../races/in-parallel.harness'
import type { PlayedWorld } from './group.harness'
import { Player } from './player.harness'
import { claimWorks, holdAttempts } from './due.harness'
import type { Taped } from './tape.harness'

/** The moment at which every world begins. */
export const beginning = Date.UTC(2026, 0, 5)
/** How many worlds are played at the same time. */
const width = 48
/** So many seconds that no job of a ledger runs by itself. */
const never = 1_000_000

export interface Replay {
  /** Makes the calls of worlds that share a clock, and returns their players. */
  play(worlds: readonly PlayedWorld[]): Promise<readonly Player[]>
  readonly database: TestDatabase
  calls(): number
  close(): Promise<void>
}

/** Uses a replay on its own database, which is dropped in the end. */
export async function withReplay<Answer>(
  country: Setting['country'],
  use: (replay: Replay) => Promise<Answer>,
): Promise<Answer> {
  const replay = await openReplay(country)
  const used = use(replay)
  await used.catch(() => undefined)
  await replay.close()
  return used
}

async function openReplay(country: Setting['country']): Promise<Replay> {
  const database = await cloneDatabase('ledger')
  const clock = await openSetClock(database)
  const service = new Pool({ connectionString: database.url, max: 2 })
  service.on('error', () => undefined)
  const ledgers = openLedgers(database, country)
  let calls = 0
  return {
    database,
    calls: () => calls,
    async play(worlds) {
      await clock.set(new Date(beginning))
      const readers = worlds.map((world) => {
        const { unconfirmedMaxMinor } = world.setting
        return new TapeReader(new Player(world, database.pool), (isWhole) => {
          calls += 1
          return ledgers.get(isWhole, unconfirmedMaxMinor)
        })
      })
      await inParallel(readers.length, width, async (place) => readers[place]?.open())
      while (readers.some(({ head }) => head !== undefined)) {
        await inParallel(readers.length, width, async (place) => readers[place]?.playOwn())
        await playShared(readers, { database, service, clock, ledgers })
      }
      return readers.map(({ player }) => player)
    },
    async close() {
      await ledgers.close()
      await service.end()
      await database.drop()
    },
  }
}

interface Ledgers {
  get(isWholeShillings: boolean, unconfirmedMaxMinor: bigint): Promise<RunningLedger>
  close(): Promise<void>
}

/** Opens a ledger for each combination of settings that is asked for. */
function openLedgers(database: TestDatabase, country: Setting['country']): Ledgers {
  const opened = new Map<string, Promise<RunningLedger>>()
  return {
    get(isWholeShillings, unconfirmedMaxMinor) {
      const mpesaWholeShillings = isWholeShillings && country === 'ke'
      const name = `${String(mpesaWholeShillings)} ${String(unconfirmedMaxMinor)}`
      const known = opened.get(name)
      if (known !== undefined) return known
      const { mobileRails } = countries[country]
      const opening = startLedger(database, {
        ...{ country: countries[country], rails: [...mobileRails, 'card'], isClockOfTest: true },
        ...{ mpesaWholeShillings, callbackUnconfirmedMaxMinor: unconfirmedMaxMinor },
        ...{ auditEverySeconds: never, measureEverySeconds: never, reconcileEverySeconds: never },
        ...(country === 'ke' && { payBillNumberKey }),
      })
      opened.set(name, opening)
      return opening
    },
    async close() {
      for (const one of opened.values()) await (await one).stop()
    },
  }
}

/** Goes through the tape of one world. */
class TapeReader {
  readonly player: Player
  private readonly ledger: (isWholeShillings: boolean) => Promise<RunningLedger>
  private place = 0

  constructor(player: Player, ledger: TapeReader['ledger']) {
    this.player = player
    this.ledger = ledger
  }

  get head(): Taped | undefined {
    return this.player.world.ledger.tape[this.place]
  }

  /** Whether the real ledger has answered differently than the simulated one. */
  get isAstray(): boolean {
    return this.player.differences.length > 0
  }

  next(): void {
    this.place += 1
  }

  async open(): Promise<void> {
    await this.player.open(await this.ledger(this.player.world.setting.isWholeShillings))
  }

  /** Plays the steps of this world up to the next step that all worlds take together. */
  async playOwn(): Promise<void> {
    for (let { head } = this; head !== undefined; { head } = this) {
      if (head.do === 'pass' || head.do === 'expire' || head.do === 'claim') return
      await this.player.play(await this.ledger(head.isWholeShillings), head)
      this.next()
    }
  }
}

interface Around {
  readonly database: TestDatabase
  readonly service: Pool
  readonly clock: SetClock
  readonly ledgers: Ledgers
}

/** Plays a step that acts on the whole database, while the rows of worlds that do not take it are locked. */
async function playShared(readers: readonly TapeReader[], around: Around): Promise<void> {
  const expiring = readers.flatMap((reader) => (reader.head?.do === 'expire' ? [reader] : []))
  const claiming = readers.flatMap((reader) => (reader.head?.do === 'claim' ? [reader] : []))
  if (expiring.length > 0) await expire(expiring, readers, around)
  else if (claiming.length > 0) await claim(claiming, around)
  else await pass(readers, around)
}

async function expire(
  readers: readonly TapeReader[],
  all: readonly TapeReader[],
  { database, service }: Around,
): Promise<void> {
  const expiring = new Set(readers.filter(({ isAstray }) => !isAstray))
  const ids = [...expiring].flatMap(({ head }) => (head?.do === 'expire' ? head.answer : []))
  // Only attempts of other worlds are locked, so an attempt of these worlds that expires wrongly is counted.
  const others = all.filter((reader) => !expiring.has(reader))
  const idle = others.flatMap(({ player }) => [...player.attempts.values()].map(({ id }) => id))
  const release = await holdAttempts(database, idle)
  const expired = await expireOverdue(service, {
    limit: 100_000,
    queryEverySeconds: times.queryEvery,
  })
  await release()
  if (expired !== ids.length) {
    const difference = `${String(expired)} attempts expired at once, and not ${String(ids.length)}`
    readers[0]?.player.differences.push(difference)
  }
  for (const reader of readers) reader.next()
}

async function claim(readers: readonly TapeReader[], { database, ledgers }: Around): Promise<void> {
  const claiming = readers.map(({ player, head, isAstray }) => ({
    player,
    expected: head?.do === 'claim' && !isAstray ? head.answer : [],
  }))
  await claimWorks(database, await ledgers.get(false, 0n), claiming)
  for (const reader of readers) reader.next()
}

async function pass(readers: readonly TapeReader[], { clock }: Around): Promise<void> {
  const passing = readers.flatMap((reader) => (reader.head?.do === 'pass' ? [reader] : []))
  const moments = new Set(passing.flatMap(({ head }) => (head?.do === 'pass' ? [head.now] : [])))
  const [now, ...others] = [...moments]
  if (now === undefined) return
  if (others.length > 0) throw new Error('the worlds of a group share no clock')
  await clock.set(dateOf(now))
  for (const reader of passing) reader.next()
}

function dateOf(moment: Moment): Date {
  return new Date(beginning + moment * 1_000)
}
