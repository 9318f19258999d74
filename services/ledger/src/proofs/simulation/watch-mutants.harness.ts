import { core } from './core.harness'
import { hour } from './design.harness'
import { SimulatedLedger } from './ledger.harness'
import { type Intent, type Moment, never } from './tables.harness'
import type { Species } from './world.harness'

class WatchesForEver extends SimulatedLedger {
  protected override nextQueryAt(intent: Intent): Moment {
    return Math.min(super.nextQueryAt(intent), this.now + hour)
  }
}

class EndsTheWatchADayEarly extends SimulatedLedger {
  protected override nextQueryAt(intent: Intent): Moment {
    const isOver = this.now >= intent.submittedAt + 48 * hour
    return isOver ? never : super.nextQueryAt(intent)
  }
}

class AsksNoLastTime extends SimulatedLedger {
  protected override nextQueryAt(intent: Intent): Moment {
    const at = super.nextQueryAt(intent)
    return at > this.now + hour ? never : at
  }
}

class AsksTheLastTimeAgain extends SimulatedLedger {
  override beginQuery(intentId: number): boolean {
    const isDue = super.beginQuery(intentId)
    const intent = this.intents[intentId]
    if (isDue && intent !== undefined && this.now > intent.submittedAt + 72 * hour) {
      intent.queryAt = Math.min(intent.queryAt, this.now + 720 * hour)
    }
    return isDue
  }
}

function withLedger(Ledger: Species['Ledger']): Species {
  return { core, Ledger }
}

/** Planted bugs of the queries about attempts that have ended. */
export const watchMutants: Readonly<Record<string, Species>> = {
  'an expired attempt is asked about each hour for ever': withLedger(WatchesForEver),
  'an expired attempt is asked about for two days only': withLedger(EndsTheWatchADayEarly),
  'an expired attempt is not asked about after 30 days': withLedger(AsksNoLastTime),
  'an expired attempt is asked about each 30 days for ever': withLedger(AsksTheLastTimeAgain),
}
