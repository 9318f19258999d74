import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { systemClock } from '@malipo/runtime/clock'
import { openOperatorIdentity, type SignedAct } from '@malipo/runtime/operator-signature'
import { present } from '../../../payments.harness'
import { amina, brian, note, operators } from '../../../operators/operators.harness'
import type { Recording, Scenario } from '../recording.harness'

const newIdentity = () => openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)

/** Operators, their keys, and the wallets that two of them freeze. */
export const operatorActs: Scenario = {
  name: 'operators',
  async play(at) {
    await enrolling(at)
    await retiring(at)
    await accepting(at)
    await freezing(at)
  },
}

async function enrolling({ ledger, refused }: Recording): Promise<void> {
  const carol = newIdentity()
  await ledger.listOperators({})
  const own = { name: 'amina', publicKey: amina.publicKey }
  await refused(ledger.enrollOperator(own))
  await refused(ledger.as(brian).enrollOperator(own))
  await refused(ledger.as(amina).enrollOperator({ ...own, name: 'a' }))
  await refused(ledger.as(amina).enrollOperator({ ...own, publicKey: Buffer.alloc(31) }))
  await ledger.as(amina).enrollOperator({ ...own, name: ' AMINA ' })
  await ledger.as(amina).enrollOperator(own)
  await ledger.as(brian).enrollOperator({ name: 'amina', publicKey: brian.publicKey })
  await ledger.as(brian).enrollOperator({ name: 'brian', publicKey: brian.publicKey })
  const third = { name: 'carol', publicKey: carol.publicKey }
  await ledger.as(carol).enrollOperator(third)
  await ledger.as(amina).enrollOperator(third)
  const { operatorId } = carol
  await ledger.as(amina).decideEnrollment({ operatorId, agreed: true })
  await refused(ledger.as(carol).decideEnrollment({ operatorId, agreed: true }))
  await ledger.as(brian).decideEnrollment({ operatorId, agreed: false })
  await ledger.as(amina).enrollOperator(third)
  await ledger.listOperators({})
  await ledger.as(brian).decideEnrollment({ operatorId, agreed: true })
  await ledger.as(brian).decideEnrollment({ operatorId, agreed: true })
  await ledger.as(brian).decideEnrollment({ operatorId: 'op_gone', agreed: true })
  await ledger.listOperators({})
}

async function retiring(at: Recording): Promise<void> {
  const { ledger, refused } = at
  const by = operators(at)
  const { operatorId, publicKey, calls } = await by.another('dalia')
  const decision = { operatorId, agreed: true }
  await refused(ledger.askRetirement({ operatorId }))
  await by.brian.decideRetirement(decision)
  await by.amina.askRetirement({ operatorId: 'op_gone' })
  await by.amina.decideRetirement({ operatorId: 'op_gone', agreed: true })
  await by.amina.askRetirement({ operatorId })
  await by.amina.decideRetirement(decision)
  await by.brian.decideRetirement({ operatorId, agreed: false })
  await by.amina.askRetirement({ operatorId })
  await by.brian.decideRetirement(decision)
  await refused(calls.askRetirement({ operatorId: amina.operatorId }))
  await by.amina.enrollOperator({ name: 'dalia2', publicKey })
  const { operators: all } = await ledger.listOperators({})
  // The last two operators cannot be retired.
  const carol = present(all.find(({ name }) => name === 'carol')).operatorId
  await by.amina.askRetirement({ operatorId: carol })
  await by.brian.decideRetirement({ operatorId: carol, agreed: true })
  await by.amina.askRetirement({ operatorId: brian.operatorId })
  await by.brian.decideRetirement({ operatorId: brian.operatorId, agreed: true })
  await ledger.listOperators({})
}

async function accepting({ ledger, refused }: Recording): Promise<void> {
  const act = (
    changes: Partial<SignedAct> = {},
    identity = amina,
    audience: 'auth' | 'ke' = 'auth',
  ) =>
    identity.sign(audience, {
      method: '/accounts.v1.AccountService/ForgetPin',
      request: Buffer.from('mama-mboga'),
      signedAt: new Date(systemClock.now()).toISOString(),
      nonce: randomUUID(),
      ...changes,
    })
  const once = act()
  await ledger.acceptAct(once)
  await refused(ledger.acceptAct(once))
  const old = new Date(systemClock.now() - 360_000).toISOString()
  await refused(ledger.acceptAct(act({ signedAt: old })))
  await refused(ledger.acceptAct({ ...act(), request: Buffer.from('another') }))
  await refused(ledger.acceptAct({ ...act(), signature: Buffer.alloc(63) }))
  await refused(ledger.acceptAct(act({}, newIdentity())))
  await refused(ledger.acceptAct(act({}, amina, 'ke')))
}

async function freezing(at: Recording): Promise<void> {
  const { ledger, pay, refused } = at
  const by = operators(at)
  const accountId = await pay.merchant()
  const attempt = await pay.pending((await pay.checkout({ accountId })).checkoutId)
  const ask = (frozen: boolean, of = accountId) =>
    by.amina.askFreezing({ accountId: of, frozen, note })
  await refused(by.amina.askFreezing({ accountId, frozen: true, note: ' ' }))
  await refused(ledger.askFreezing({ accountId, frozen: true, note }))
  await ask(true, 'acc_gone')
  await ask(false)
  const first = present((await ask(true)).freezingId)
  await ask(true)
  const decide = (freezingId: string, agreed: boolean, who = by.brian) =>
    who.decideFreezing({ freezingId, agreed, note })
  await decide(first, true, by.amina)
  await decide(first, false, by.amina)
  await decide(first, true)
  await decide('fr_gone', true)
  await refused(by.brian.decideFreezing({ freezingId: first, agreed: true, note: '' }))
  await decide(present((await ask(true)).freezingId), true)
  await ledger.checkWallet({ accountId })
  await ledger.readWallet({ accountId })
  await refused(pay.checkout({ accountId }))
  await refused(pay.startHandle(accountId))
  await pay.paid(attempt)
  await ledger.readIntent(attempt)
  await ledger.listSuspense({ limit: 10 })
  await decide(present((await ask(false)).freezingId), true)
  await ledger.checkWallet({ accountId })
}
