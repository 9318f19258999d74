import { core } from './core.harness'
import { SimulatedLedger } from './ledger.harness'
import { openRandom, type Random, withRules } from './rules.harness'
import {
  type Action,
  type ActionName,
  actionNames,
  type Setting,
  unconfirmedMaxima,
} from './setting.harness'
import { type Species, World } from './world.harness'
import { providerTraits } from './worker.harness'

/** A whole run of a world: its setting, and its actions, of which some can be left out. */
interface Plan {
  readonly setting: Setting
  readonly actions: readonly Action[]
}

export interface Finding {
  readonly seed: number
  readonly broken: string
  readonly plan: Plan
}

export const sound: Species = { core, Ledger: SimulatedLedger }

const actionsMin = 8
const actionsSpread = 40
/** Drawn for each kind of action, so that some runs have none of it and others a flood. */
const weights = [0, 1, 2, 4, 8, 16]
/** Actions that every run may draw, because no payment comes to its end without them. */
const needed = new Set<ActionName>(['pay', 'submit', 'record', 'approve', 'pass', 'sweep'])

/**
 * Carries out a seed. Each draws its own mixture of actions, some of them not at all: a flood of one kind reaches
 * corners that an even mixture never sees (swarm testing).
 */
function runSeed(species: Species, seed: number): Finding | undefined {
  const random = openRandom(seed)
  const setting = drawSetting(random)
  const draw = openUrn(random)
  const world = new World(species, setting)
  const actions: Action[] = []
  const length = actionsMin + random(actionsSpread)
  let broken: string | undefined
  while (broken === undefined && actions.length < length) {
    let name = draw()
    while (!isPossible(world, name)) name = draw()
    const action = { name, which: random(65_536), dice: random(65_536) }
    actions.push(action)
    broken = world.act(action)
  }
  broken ??= world.heal()
  return broken === undefined ? undefined : { seed, broken, plan: { setting, actions } }
}

export function drawSetting(
  random: Random,
  country: Setting['country'] = random(2) === 0 ? 'ug' : 'ke',
): Setting {
  return {
    country,
    checkouts: random(2) === 0 ? 2 : 1,
    phones: random(2) === 0 ? 2 : 1,
    // A provider that denies what was paid is drawn more often: what it can break takes a rare order of events.
    provider: providerTraits[random(providerTraits.length + 2)] ?? 'denies',
    // Uganda has no cents.
    amounts: country === 'ke' && random(2) === 0 ? 'cents' : 'whole',
    isWholeShillings: random(2) === 0,
    takesCards: random(2) === 0,
    unconfirmedMaxMinor: unconfirmedMaxima[random(unconfirmedMaxima.length)] ?? 0n,
  }
}

export function openUrn(random: Random): () => ActionName {
  let total = 0
  const tops: number[] = []
  for (const name of actionNames) {
    total += (weights[random(weights.length)] ?? 1) + (needed.has(name) ? 2 : 0)
    tops.push(total)
  }
  return () => {
    const drawn = random(total)
    let place = 0
    while ((tops[place] ?? total) <= drawn) place += 1
    return actionNames[place] ?? 'pay'
  }
}

/** Carries out a plan to its end. Returns what breaks, if anything does. */
function run(
  species: Species,
  { setting, actions }: Plan,
  onProgress?: (line: string) => void,
): string | undefined {
  return withRules(species.rules ?? [], () => {
    const world = new World(species, setting, onProgress)
    for (const action of actions) {
      const broken = world.act(action)
      if (broken !== undefined) return broken
    }
    return world.heal()
  })
}

/** The first finding of a range of seeds. */
export function explore(species: Species, from: number, count: number): Finding | undefined {
  return withRules(species.rules ?? [], () => {
    for (let seed = from; seed < from + count; seed += 1) {
      const finding = runSeed(species, seed)
      if (finding !== undefined) return finding
    }
    return undefined
  })
}

/** Leaves out every action of a plan without which the same still breaks. */
export function shrink(species: Species, plan: Plan, broken: string): Plan {
  const breaks = (actions: readonly Action[]) => run(species, { ...plan, actions }) === broken
  let { actions } = plan
  for (let size = Math.ceil(actions.length / 2); size >= 1; size = Math.floor(size / 2)) {
    actions = without(actions, size, breaks)
  }
  return { ...plan, actions: without(actions, 1, breaks) }
}

/** Leaves out each sequence of `size` actions that the violation does not need. */
function without(
  actions: readonly Action[],
  size: number,
  breaks: (actions: readonly Action[]) => boolean,
): readonly Action[] {
  let kept = actions
  for (let at = 0; at < kept.length;) {
    const fewer = [...kept.slice(0, at), ...kept.slice(at + size)]
    if (breaks(fewer)) kept = fewer
    else at += size
  }
  return kept
}

/** The story of a plan, a line an event. */
export function narrate(species: Species, plan: Plan): string[] {
  const lines: string[] = []
  run(species, plan, (line) => lines.push(line))
  return lines
}

const chances: Readonly<Partial<Record<ActionName, (world: World) => boolean>>> = {
  submit: ({ ledger }) => ledger.intents.some(({ status }) => status === 'reserved'),
  record: ({ worker }) => worker.calls.length > 0,
  payByCard: ({ setting }) => setting.takesCards,
  approve: (world) => world.payable().length > 0,
  leave: ({ book }) => book.prompts.some(({ rail }) => rail === 'card'),
  refuse: (world) => world.refusable().length > 0,
  deliver: ({ air }) => air.length > 0,
  lose: ({ air }) => air.length > 0,
  read: ({ unread }) => unread.length > 0,
  sweep: ({ ledger }) => ledger.isDue(),
  expire: ({ ledger }) => ledger.intents.some(({ deadlineAt }) => deadlineAt <= ledger.now),
  forge: ({ ledger }) => ledger.intents.length > 0,
  payBill: ({ setting }) => setting.country === 'ke',
  reset: ({ setting }) => setting.amounts === 'cents',
}

/** Whether the world has anything that the action could change. */
export function isPossible(world: World, name: ActionName): boolean {
  return chances[name]?.(world) ?? true
}
