import { openRandom } from '../../simulation/rules.harness'
import { drawRefundSetting } from '../../simulation/refunds/refund-tables.harness'
import { refundLeaps, RefundWorld } from '../../simulation/refunds/refund-world.harness'
import { TapedRefunds } from './refund-tape.harness'

/** One world of refunds that was carried out in memory. */
export interface PlayedRefunds {
  readonly seed: number
  readonly ledger: TapedRefunds
  readonly story: readonly string[]
}

const rounds = 14
const actionsPerRound = 3
const shortLeaps = 6
const daysAfter = 5
/** After the last round nothing fails any more, and these times pass one after another, in seconds. */
const endings = [60, 600, 1_900, 90_000, 300_000]

/** Carries out worlds that share a clock: in each round the same time passes in all, and then each takes one action. */
export function playRefunds(from: number, count: number): readonly PlayedRefunds[] {
  const passes = passesOf(from)
  return Array.from({ length: count }, (_, place) => playWorld(from + place, passes))
}

/** Carries out one world alone, with the times of the group that begins with seed 1. */
export function playRefundsAlone(seed: number): PlayedRefunds {
  return playWorld(seed, passesOf(1))
}

function passesOf(from: number): readonly number[] {
  const random = openRandom(from)
  // The times are mostly short, because little is left to do after days. Once the time is so long that no refund that
  // was sent before is queried any more.
  const reach = () => (random(3) === 0 ? refundLeaps.length : shortLeaps)
  return Array.from({ length: rounds }, (_, round) =>
    round === daysAfter ? 300_000 : (refundLeaps[random(reach())] ?? 1),
  )
}

function playWorld(seed: number, passes: readonly number[]): PlayedRefunds {
  const random = openRandom(seed)
  const ledger = new TapedRefunds(drawRefundSetting(random))
  const story: string[] = []
  const world = new RefundWorld(ledger, random, (line) => story.push(line))
  const broken: (string | undefined)[] = []
  for (const seconds of passes) {
    for (let done = 0; done < actionsPerRound; done += 1) broken.push(world.act())
    world.pass(seconds)
  }
  broken.push(world.heal(endings))
  const [first] = broken.filter((one) => one !== undefined)
  if (first !== undefined) throw new Error(`seed ${String(seed)} breaks: ${first}`)
  return { seed, ledger, story }
}
