import { type Mutant, withMutant } from '../mutants.harness'
import { differing } from '../tables.harness'
import { playRefunds, playRefundsAlone, type PlayedRefunds } from './refund-group.harness'
import type { RefundPlayer } from './refund-player.harness'
import { withRefundReplay } from './refund-replay.harness'
import { expectedRefundRows, readRefundRows } from './refund-rows.harness'

/** The worlds that differ in the database, and how many calls all worlds made. */
export interface ComparedRefunds {
  readonly calls: number
  readonly differences: readonly {
    readonly seed: number
    readonly lines: readonly string[]
    readonly story: readonly string[]
  }[]
}

/** Plays a group in memory and in the database, and returns the worlds in which the two differ. */
export async function compareRefunds(from: number, count: number): Promise<ComparedRefunds> {
  return compareWorlds(playRefunds(from, count))
}

/** Plays the world that a mutant names alone. Returns its first difference; undefined when the mutant is not found. */
export async function findRefundMutant(mutant: Mutant): Promise<string | undefined> {
  const [, seed] = mutant.world
  return withMutant(mutant, async () => {
    const { differences } = await compareWorlds([playRefundsAlone(seed)])
    return differences[0]?.lines[0]
  })
}

async function compareWorlds(worlds: readonly PlayedRefunds[]): Promise<ComparedRefunds> {
  return withRefundReplay(worlds, async (players, { pool }) => {
    const rows = await readRefundRows(pool, players)
    const differences = players.flatMap((player) => {
      const { seed, story } = player.world
      const found = differing(expectedRefundRows(player), rows.get(player) ?? {})
      const lines = [...player.differences, ...found]
      return lines.length === 0 ? [] : [{ seed, lines, story }]
    })
    return { differences, calls: callsOf(players) }
  })
}

function callsOf(players: readonly RefundPlayer[]): number {
  return players.reduce(
    (sum, { world }) => sum + world.ledger.tape.filter((one) => 'answer' in one).length,
    0,
  )
}
