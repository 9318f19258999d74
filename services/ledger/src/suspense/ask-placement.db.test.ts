import { PlacementOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('a request for a placement moves nothing, and is listed beside the money until it is decided', async () => {
  const subject = await by.unmatched()
  const owner = { $case: 'accountId', value: await at.pay.merchant() } as const
  const { outcome, placementId } = await by.amina.askPlacement({ subject, owner, note })
  expect(outcome).toBe(PlacementOutcome.ASKED)
  const story = await by.story(subject)
  expect(story.holder).toBe('suspense:unmatched')
  expect(story.placements).toMatchObject([
    { placementId, owner, status: 'asked', askedBy: 'amina' },
  ])
  expect(story.actions).toMatchObject([{ did: 'placement_asked', operator: 'amina', note }])
  expect((await at.ledger.listSuspense({ limit: 10 })).items).toMatchObject([{ placementId }])
})

test('of twenty requests for a placement at the same moment one is recorded', async () => {
  const subject = await by.unmatched()
  const owner = { $case: 'accountId', value: await at.pay.merchant() } as const
  const all = Array.from({ length: 20 }, () => by.amina.askPlacement({ subject, owner, note }))
  const requested = (await Promise.all(all)).filter(
    ({ outcome }) => outcome === PlacementOutcome.ASKED,
  )
  expect(requested).toHaveLength(1)
})

test('refuses a placement without an owner', async () => {
  const request = { subject: 'mpesa:QK12345678', owner: undefined, note }
  await expect(by.amina.askPlacement(request)).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'owner' },
  })
})
