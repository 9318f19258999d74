import { randomBytes } from 'node:crypto'
import { refuseField } from '@malipo/interface/validate'
import { countries, isWithinLimits } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Minor } from '@malipo/kernel/money'
import type { Account } from '../../accounts/rules/account'
import type { Caller } from '../../audit/rules/audit'
import { isReservedHandle } from '../../handles/rules/handle'
import type { Link, Suggestion } from '../rules/link'
import type { Database } from '../../database/database'
import {
  refuseMisleadingHandle,
  refuseMisleadingTitle,
} from '../../handles/store/refuse-misleading-names'
import { findLinkOfRequest, saveLink } from './links'

export interface LinkRequest {
  readonly requestId: string
  /** A random handle is used when none is given. */
  readonly handle?: string | undefined
  readonly title?: string | undefined
  readonly amountMinor?: Minor | undefined
  readonly caller: Caller
}

/**
 * Makes a link of an account, or finds the one that this request id made before. Faults: invalid_request,
 * handle_taken (also when reserved), amount_outside_limits.
 */
export async function makeLink(
  db: Database,
  { accountId, homeCountry }: Account,
  request: LinkRequest,
): Promise<Link> {
  const { requestId, caller } = request
  const known = await findLinkOfRequest(db, accountId, requestId)
  if (known !== undefined) return known
  const suggestion = suggestionOf(request.title, request.amountMinor)
  if (suggestion && !isWithinLimits(countries[homeCountry], suggestion.amountMinor)) {
    throw new Fault('amount_outside_limits')
  }
  if (suggestion) refuseMisleadingTitle(suggestion.title)
  const { handle = makeUpHandle() } = request
  refuseMisleadingHandle('handle', handle)
  if (isReservedHandle(handle)) throw new Fault('handle_taken', { handle })
  return saveLink(db, { accountId, requestId, handle, ...(suggestion && { suggestion }), caller })
}

function suggestionOf(
  title: string | undefined,
  amountMinor: bigint | undefined,
): Suggestion | undefined {
  if (title === undefined && amountMinor === undefined) return undefined
  if (title === undefined) return refuseField('title', 'is required with an amount')
  if (amountMinor === undefined) return refuseField('amount', 'is required with a title')
  return { title, amountMinor }
}

/** 48 random bits: another link's handle is found neither by chance nor by guessing. */
function makeUpHandle(): string {
  return `pay-${randomBytes(6).toString('hex')}`
}
