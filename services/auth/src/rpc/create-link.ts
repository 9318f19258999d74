import { randomBytes } from 'node:crypto'
import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { refuseField, validate } from '@malipo/interface/validate'
import { countries, isWithinLimits } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { z } from 'zod'
import { isReservedHandle } from '../domain/handle'
import type { Suggestion } from '../domain/link'
import { requireAccount } from '../store/accounts'
import type { Database } from '../store/database'
import { findLinkOfRequest, keepLink } from '../store/links'
import { handleSchema, linkTitleSchema, requestIdSchema } from './account-fields'
import { readCaller } from './read-caller'
import { showLink } from './show-link'

const requestSchema = z.object({
  requestId: requestIdSchema,
  accountId: z.string(),
  handle: handleSchema.or(z.literal('')),
  title: linkTitleSchema.optional(),
  amountMinor: z.bigint().optional(),
})

/** Makes a link. Faults: invalid_request, handle_taken (also when reserved), amount_outside_limits. */
export function createLink(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['createLink'] {
  return async (wire) => {
    const { requestId, ...request } = validate(requestSchema, wire)
    const { accountId, homeCountry } = await requireAccount(deps.db, request.accountId)
    const known = await findLinkOfRequest(deps.db, accountId, requestId)
    if (known !== undefined) return { link: showLink(known, homeCountry) }
    const suggestion = readSuggestion(request.title, request.amountMinor)
    if (suggestion && !isWithinLimits(countries[homeCountry], suggestion.amountMinor)) {
      throw new Fault('amount_outside_limits')
    }
    const handle = request.handle === '' ? makeUpHandle() : request.handle
    if (isReservedHandle(handle)) throw new Fault('handle_taken', { handle })
    const caller = readCaller(wire.caller)
    const link = { accountId, requestId, handle, ...(suggestion && { suggestion }), caller }
    return { link: showLink(await keepLink(deps.db, link), homeCountry) }
  }
}

function readSuggestion(
  title: string | undefined,
  amountMinor: bigint | undefined,
): Suggestion | undefined {
  if (title === undefined && amountMinor === undefined) return undefined
  if (title === undefined) return refuseField('title', 'is required with an amount')
  if (amountMinor === undefined) return refuseField('amount', 'is required with a title')
  return { title, amountMinor }
}

/** 48 random bits: nobody meets the address of another by chance, or by trying. */
function makeUpHandle(): string {
  return `pay-${randomBytes(6).toString('hex')}`
}
