import { type Plan, run } from './explore.harness'
import type { Action } from './setting.harness'
import type { Species } from './world.harness'

/** The fewest actions of a plan that still break the same: whatever can be left out is. */
export function shrink(species: Species, plan: Plan, broken: string): Plan {
  const breaks = (actions: readonly Action[]) => run(species, { ...plan, actions }) === broken
  let { actions } = plan
  for (let size = Math.ceil(actions.length / 2); size >= 1; size = Math.floor(size / 2)) {
    actions = without(actions, size, breaks)
  }
  return { ...plan, actions: without(actions, 1, breaks) }
}

/** Leaves out runs of `size` actions, each one that the violation does not need. */
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
