import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { openSetClock } from '../../../clock.harness'
import type { Moment } from '../../simulation/tables.harness'
import { insist, present } from '../../../payments.harness'
import { type RunningLedger, startLedger } from '../../../start.harness'
import { inParallel } from '../../races/in-parallel.harness'
import { beginning } from '../replay.harness'
import { enrollBoth, RefundPlayer } from './refund-player.harness'
import type { PlayedRefunds } from './refund-group.harness'
import type { TapedRefund } from './refund-tape.harness'

/** How many worlds are played at the same time. */
const width = 24
/** So many seconds that no job of a ledger runs by itself. */
const never = 1_000_000

/** Plays worlds that share a clock on their own database, which is dropped in the end. */
export async function withRefundReplay<Answer>(
  worlds: readonly PlayedRefunds[],
  use: (players: readonly RefundPlayer[], database: TestDatabase) => Promise<Answer>,
): Promise<Answer> {
  const database = await cloneDatabase('ledger')
  const clock = await openSetClock(database)
  const ledger = await startLedger(database, {
    ...{ isClockOfTest: true, auditEverySeconds: never, measureEverySeconds: never },
    reconcileEverySeconds: never,
  })
  let now = beginning
  const pass = async (to: number) => {
    now = to
    await clock.set(new Date(to))
  }
  const replayed = pass(beginning).then(async () => {
    const callers = await enrollBoth(ledger, () => now)
    const players = worlds.map((world) => new RefundPlayer(world, callers, database.pool))
    await playAll(players, { database, ledger, pass })
    return use(players, database)
  })
  await replayed.catch(() => undefined)
  await ledger.stop()
  await database.drop()
  return replayed
}

interface Around {
  readonly database: TestDatabase
  readonly ledger: RunningLedger
  pass(to: number): Promise<void>
}

async function playAll(players: readonly RefundPlayer[], around: Around): Promise<void> {
  const readers = players.map((player) => new TapeReader(player))
  await inParallel(readers.length, width, async (place) => readers[place]?.player.open())
  while (readers.some(({ head }) => head !== undefined)) {
    await inParallel(readers.length, width, async (place) => readers[place]?.playOwn())
    await playShared(readers, around)
  }
  await inParallel(readers.length, width, async (place) => readers[place]?.player.finish())
}

/** Goes through the tape of one world. */
class TapeReader {
  readonly player: RefundPlayer
  private place = 0

  constructor(player: RefundPlayer) {
    this.player = player
  }

  get head(): TapedRefund | undefined {
    return this.player.world.ledger.tape[this.place]
  }

  next(): void {
    this.place += 1
  }

  /** Plays the steps of this world up to the next step that all worlds take together. */
  async playOwn(): Promise<void> {
    for (let { head } = this; head !== undefined; { head } = this) {
      if (head.do === 'pass' || head.do === 'claim') return
      await this.player.play(head)
      this.next()
    }
  }
}

async function playShared(readers: readonly TapeReader[], around: Around): Promise<void> {
  const claiming = readers.filter(({ head }) => head?.do === 'claim')
  if (claiming.length > 0) {
    await claim(claiming, around)
    return
  }
  const moments = new Set(readers.flatMap(({ head }) => (head?.do === 'pass' ? [head.now] : [])))
  const [moment, ...others] = [...moments]
  if (moment === undefined) return
  if (others.length > 0) throw new Error('the worlds of a group share no clock')
  await around.pass(dateOf(moment))
  for (const reader of readers) reader.next()
}

function dateOf(moment: Moment): number {
  return beginning + moment * 1_000
}

/** Claims for the worlds whose next step is a claim, with other due rows locked, and compares what each of them got. */
async function claim(readers: readonly TapeReader[], { database, ledger }: Around): Promise<void> {
  const expected = readers.flatMap(({ player, head }) =>
    head?.do === 'claim' && player.differences.length === 0
      ? head.works.map(({ kind, id }) => ({ player, kind, id: present(player.refunds[+id]) }))
      : [],
  )
  const release = await holdBesides(
    database,
    expected.map(({ id }) => id),
  )
  const claimed = await claimAll(ledger)
  await release()
  for (const { player, kind, id } of expected) {
    const place = claimed.indexOf(`${kind} ${id}`)
    if (place < 0) player.differences.push(`${kind} was not claimed`)
    else claimed.splice(place, 1)
  }
  if (claimed.length > 0) {
    readers[0]?.player.differences.push(`claimed beside what is due: ${claimed.join(', ')}`)
  }
  for (const reader of readers) reader.next()
}

async function claimAll(ledger: RunningLedger): Promise<string[]> {
  const claimed: string[] = []
  // A leased row is no longer due, so calls go on until one claims nothing.
  for (let calls = 0; calls < 5; calls += 1) {
    const { due } = await insist(() => ledger.claimDue({ limit: 500 }))
    for (const { work } of due) {
      const kind = work?.$case === 'sendRefundId' ? 'refund' : 'refund_query'
      claimed.push(`${kind} ${String(work?.value)}`)
    }
    if (due.length === 0) break
  }
  return claimed
}

async function holdBesides(
  { pool }: TestDatabase,
  ids: readonly string[],
): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('BEGIN')
  const due = 'next_action_at <= clock_timestamp()'
  await client.query(
    `SELECT FROM refunds WHERE ${due} AND id <> ALL ($1::text[]) FOR NO KEY UPDATE`,
    [ids],
  )
  // Messages are locked too, because a world of refunds applies its messages itself and claims none.
  await client.query(`SELECT FROM provider_messages WHERE ${due} FOR NO KEY UPDATE`)
  return async () => {
    await client.query('ROLLBACK')
    client.release()
  }
}
