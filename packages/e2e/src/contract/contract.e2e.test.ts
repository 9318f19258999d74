import { authentication } from './authentication'
import { cards } from './cards'
import { type ContractStack, startContractStack } from './contract-stack'
import { addressLimits, limits } from './limits'
import { amountLimits, foreignCheckouts, merchantRoutes, requestLimits } from './merchant-routes'
import { expiredCheckouts, unavailable } from './outages'
import { pagePolling } from './page-polling'
import { handleReads, handleRecords, payerReads } from './payer-reads'
import { attempts, handlePayments, payments, payRefusals } from './payments'
import { revokedKeys, revokeUsedKey, type RevokedKey } from './revoked-keys'

/** The interface, line by line, from outside: HTTP against a stack as `npm start` makes it. */
describe('the contract', () => {
  let stack: ContractStack
  /** Its checkouts live four seconds, and its services are stopped. */
  let brief: ContractStack
  let revoked: RevokedKey
  beforeAll(async () => {
    stack = await startContractStack()
    revoked = await revokeUsedKey(stack)
    brief = await startContractStack({ CHECKOUT_LIFE_SECONDS: '4' })
  })
  afterAll(async () => {
    await Promise.all([stack.stop(), brief.stop()])
  })
  const given = () => stack

  describe('merchant routes', () => {
    merchantRoutes(given)
    requestLimits(given)
    amountLimits(given)
    foreignCheckouts(given)
  })
  describe('authentication', () => {
    authentication(given)
  })
  describe('public reads', () => {
    payerReads(given)
    handleRecords(given)
    handleReads(given)
  })
  describe('payments', () => {
    payments(given)
    attempts(given)
    payRefusals(given)
    handlePayments(given)
  })
  describe('cards', () => {
    cards(given)
  })
  describe('limits', () => {
    limits(given)
    addressLimits(given)
  })
  describe('the payer page', () => {
    pagePolling(given)
  })
  describe('when time passes and services are away', () => {
    expiredCheckouts(() => brief)
    unavailable(() => brief)
    revokedKeys(given, () => revoked)
  })
})
