import type { RefundEvent, RefundStatus } from '../../refund'
import { type Refund, SimulatedRefunds } from './refund-ledger.harness'
import type { RefundSpecies } from './refund-world.harness'

/** The rules with one cell changed. */
function withCell(cell: `${RefundStatus} ${RefundEvent}`, next: string): RefundSpecies {
  return class extends SimulatedRefunds {
    protected override after(status: RefundStatus, event: RefundEvent): string {
      return `${status} ${event}` === cell ? next : super.after(status, event)
    }
  }
}

class SendsAgain extends SimulatedRefunds {
  protected override isToSend({ status }: Refund): boolean {
    return status === 'approved' || status === 'submitted'
  }
}

class AsksOnePerson extends SimulatedRefunds {
  protected override isSame(): boolean {
    return false
  }
}

class BelievesAnybody extends SimulatedRefunds {
  protected override isStrong(): boolean {
    return true
  }
}

class ForgetsTheSecond extends SimulatedRefunds {
  protected override withdrawOthers(): boolean {
    return true
  }
}

class ClosesEarly extends SimulatedRefunds {
  protected override isStillAsked(): boolean {
    return false
  }
}

class PostsNothing extends SimulatedRefunds {
  protected override settle(): void {
    // As if the posting were in a transaction of its own, which was lost.
  }
}

/** Planted bugs of refunds and of closing them by hand. */
export const refundMutants: Readonly<Record<string, RefundSpecies>> = {
  'a lost refund is sent again': SendsAgain,
  'one person is enough': AsksOnePerson,
  'anybody’s word moves a refund': BelievesAnybody,
  'a late yes is posted beside a second refund': ForgetsTheSecond,
  'a refund is closed while the provider is asked': ClosesEarly,
  'what is paid is not posted': PostsNothing,
  'a late yes is refused': withCell('failed confirmed', 'failed'),
  'a no takes back what was paid': withCell('paid declined', 'failed'),
  'a yes is posted as often as it is told': withCell('paid confirmed', 'submitted'),
  'a withdrawn refund is sent': withCell('withdrawn agreed', 'approved'),
}
