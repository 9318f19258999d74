import { type Played, playScenario, type Scenario } from './recording.harness'
import { callbacks } from './scenarios/callbacks.harness'
import { cards } from './scenarios/cards.harness'
import { checkouts } from './scenarios/checkouts.harness'
import { handles } from './scenarios/handles.harness'
import { operatorActs } from './scenarios/operator-acts.harness'
import { payBill } from './scenarios/pay-bill.harness'
import { prompts } from './scenarios/prompts.harness'
import { queries } from './scenarios/queries.harness'
import { reading } from './scenarios/reading.harness'
import { reconciling } from './scenarios/reconciling.harness'
import { refunds } from './scenarios/refunds.harness'
import { reports } from './scenarios/reports.harness'
import { suspense } from './scenarios/suspense.harness'
import { wholeShillings } from './scenarios/whole-shillings.harness'

export const scenarios: readonly Scenario[] = [
  ...[checkouts, prompts, callbacks, queries, reports, handles, cards],
  ...[payBill, wholeShillings, operatorActs, suspense, refunds, reading, reconciling],
]

/** Scenarios wait for the ledger's own timers as long as they work, so a few are played at a time. */
const playedAtOnce = 4

/** Plays every scenario. */
export async function playScenarios(): Promise<Readonly<Record<string, Played>>> {
  const waiting = [...scenarios]
  const played: Record<string, Played> = {}
  const playNext = async (): Promise<void> => {
    const scenario = waiting.shift()
    if (scenario === undefined) return
    played[scenario.name] = await playScenario(scenario)
    await playNext()
  }
  await Promise.all(Array.from({ length: playedAtOnce }, playNext))
  return played
}
