import { isPossible, drawSetting, openUrn } from '../simulation/explore.harness'
import { openRandom } from '../simulation/rules.harness'
import { type Action, leaps, type Setting } from '../simulation/setting.harness'
import { World } from '../simulation/world.harness'
import { taped, TapedLedger } from './tape.harness'

/** A world that was carried out in memory, with its calls and its final tables in `ledger`. */
export interface PlayedWorld {
  readonly seed: number
  readonly setting: Setting
  readonly ledger: TapedLedger
  readonly story: readonly string[]
}

const rounds = 24
/** After the last round nothing fails any more, and these times pass one after another, in seconds. */
const endings = [30, 60, 120, 600, 4_000, 20_000]

/**
 * Carries out worlds that share a clock: in each round the same time passes in all of them, and then each takes one
 * action. Everything is determined by the first seed and the number of worlds.
 */
export function playGroup(
  country: Setting['country'],
  from: number,
  count: number,
): readonly PlayedWorld[] {
  const passes = passesOf(from)
  return Array.from({ length: count }, (_, place) => playWorld(country, from + place, passes))
}

/** Carries out one world alone, with the times of the group that begins with seed 1, so that its calls are the same. */
export function playAlone(country: Setting['country'], seed: number): PlayedWorld {
  return playWorld(country, seed, passesOf(1))
}

function passesOf(from: number): readonly number[] {
  const random = openRandom(from)
  // A second at least, so that no two things happen at one moment.
  return Array.from({ length: rounds }, () => (random(3) === 0 ? random(leaps.length) : 0))
}

function playWorld(
  country: Setting['country'],
  seed: number,
  passes: readonly number[],
): PlayedWorld {
  const random = openRandom(seed)
  const setting = drawSetting(random, country)
  const draw = openUrn(random)
  const story: string[] = []
  const world = new World(taped, setting, (line) => story.push(line))
  const act = (action: Action) => {
    const broken = world.act(action)
    if (broken !== undefined) throw new Error(`seed ${String(seed)} breaks: ${broken}`)
  }
  for (const which of passes) {
    act({ name: 'pass', which, dice: 0 })
    let name = draw()
    while (name === 'pass' || !isPossible(world, name)) name = draw()
    act({ name, which: random(65_536), dice: random(65_536) })
  }
  world.healFor(endings)
  world.reconcile()
  const { ledger } = world
  if (!(ledger instanceof TapedLedger)) throw new Error('the ledger of the world keeps no tape')
  return { seed, setting, ledger, story }
}
