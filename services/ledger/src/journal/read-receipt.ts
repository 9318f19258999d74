import {
  type Placement as WirePlacement,
  type Refund as WireRefund,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { withoutNulls } from '@malipo/contracts/present'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findReceipt, type Placement, type ReceiptRefund } from './store/receipts'
import { readSubject } from '../operators/signed'

/** Reads everything that happened to the money of one receipt. */
export function readReceipt(deps: Ledger): Operation<'readReceipt'> {
  return async ({ subject: given }) => {
    const subject = readSubject(given)
    const story = await findReceipt(deps.db, subject)
    if (story === undefined) throw new Fault('invalid_request', { field: 'subject' })
    return {
      subject,
      holder: story.holder ?? undefined,
      amount: { minor: story.minor, currency: deps.country.currency },
      transfers: [...story.transfers],
      intents: story.intents.map(withoutNulls),
      refunds: story.refunds.map((refund) => presentRefund(subject, refund)),
      actions: [...story.actions],
      placements: story.placements.map(presentPlacement),
    }
  }
}

function presentRefund(subject: string, refund: ReceiptRefund): WireRefund {
  const { closing, closingAskedBy, closedBy, isContradicted, ...rest } = refund
  return {
    ...withoutNulls(rest),
    subject,
    sentBy: wireOf('REFUND_SENDER', refund.sentBy),
    closing:
      closing === null || closingAskedBy === null
        ? undefined
        : {
            end: wireOf('REFUND_END', closing),
            askedBy: closingAskedBy,
            closedBy: closedBy ?? undefined,
          },
    contradicted: isContradicted,
  }
}

function presentPlacement({ checkoutId, accountId, ...rest }: Placement): WirePlacement {
  return {
    ...withoutNulls(rest),
    owner:
      checkoutId === null
        ? { $case: 'accountId', value: accountId ?? '' }
        : { $case: 'checkoutId', value: checkoutId },
  }
}
