import {
  FailureCause,
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { generateKeyPairSync } from 'node:crypto'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { type OperatorIdentity, openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { ledgerCallers } from '../../../../services/ledger/src/methods'
import { askPlacement, askRefund, decideOrder } from './acts'
import { environmentOf, kenyaLedgerOfFile, openBesideSilent } from './kenya-ledger.harness'
import type { Done } from './done'
import { type Connections, openConnections } from './ledgers'
import { listSuspense, showReceipt } from './suspense'

const address = kenyaLedgerOfFile()

const newIdentity = () => openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
const [amina, brian] = [newIdentity(), newIdentity()]

/** The calls that other processes make. */
const openLedgerCalls = () =>
  openCallsOf<LedgerServiceServer>({
    server: 'ledger-ke',
    definition: LedgerServiceService,
    callers: ledgerCallers('ke'),
    address: address(),
    whenUnavailable: 'ledger_unavailable',
  })

/** The ledger, with every call signed by an operator, who is enrolled. */
async function signedBy(identity: OperatorIdentity, name: string): Promise<Connections> {
  const connections = openConnections('', environmentOf(address()), { identity })
  for (const { writes } of connections.ledgers) {
    await writes.enrollOperator({ name, publicKey: identity.publicKey })
  }
  return connections
}

/** Posts `count` statement rows of KES 500.00 each, whose owner is unknown. */
async function hold(count: number, prefix: string): Promise<void> {
  const { calls, close } = openLedgerCalls()
  const receipts = Array.from({ length: count }, (_, place) => `${prefix}${String(1_000 + place)}`)
  const owner = { accountNumber: 'rent', amountMinor: 50_000n, payeeUnknown: false }
  const rows = receipts.map((receipt) => ({
    body: Buffer.from(receipt),
    paid: { ...owner, receipt },
  }))
  await calls.takeStatementRows({ rows })
  close()
}

async function listed(
  connections = openConnections('', environmentOf(address())),
): Promise<{ lines: string[]; isGood: boolean }> {
  const { text, isGood } = await listSuspense(connections, 0)
  connections.close()
  return { lines: text.trimEnd().split('\n'), isGood }
}

test('says how much is held in all when only the oldest 250 are listed', async () => {
  await hold(250, 'QK12AB')
  const { lines: all } = await listed()
  expect(all).toHaveLength(251)
  expect(all.at(-1)).toMatch(/^ke +mpesa:QK12AB/)
  await hold(1, 'QK34CD')
  const { lines: cut, isGood } = await listed()
  expect(isGood).toBe(true)
  expect(cut).toHaveLength(252)
  expect(cut.at(-1)).toBe('ke: 251 in all, KES 125500; the oldest 250 are listed')
})

test('lists what one ledger holds beside a line for one that does not answer', async () => {
  await hold(1, 'QK56EF')
  const { lines, isGood } = await listed(openBesideSilent(address()))
  expect(lines.filter((line) => line.startsWith('ke  '))).not.toEqual([])
  expect(lines.at(-1)).toBe('ug: no answer')
  expect(isGood).toBe(false)
})

test('lists and shows of a refund whether we send it or the provider already did', async () => {
  await hold(2, 'QK12AB')
  const connections = await signedBy(amina, 'amina')
  const shown = async (subject: string, isDoneThere: boolean) => {
    await askRefund(connections, { subject, note: 'paid twice' }, isDoneThere)
    return showReceipt(connections, { subject })
  }
  const texts = [await shown('mpesa:QK12AB1000', false), await shown('mpesa:QK12AB1001', true)]
  const { text: list } = await listSuspense(connections, 0)
  connections.close()
  expect(list).toMatch(/mpesa:QK12AB1000 .* rf_\w+ sent by us$/m)
  expect(list).toMatch(/mpesa:QK12AB1001 .* rf_\w+ sent by the provider already$/m)
  expect(texts[0]).toMatch(/rf_\w+ +asked +sent by us, asked by amina/)
  expect(texts[1]).toMatch(/rf_\w+ +asked +sent by the provider already, asked by amina/)
})

test('lists a refund that failed after two agreed, of held money and of what a wallet has', async () => {
  await hold(2, 'QK78GH')
  const [held, placed] = ['mpesa:QK78GH1000', 'mpesa:QK78GH1001']
  const [first, second] = [await signedBy(amina, 'amina'), await signedBy(brian, 'brian')]
  const { calls, close } = openLedgerCalls()
  const agreed = async ({ message }: Done) => {
    const subject = message.split(' ').at(-1) ?? ''
    await decideOrder(second, { subject, note: 'so it is' }, true)
    return subject
  }
  await calls.openWallet({ accountId: 'acc_mboga' })
  const owner = { $case: 'accountId', value: 'acc_mboga' } as const
  await agreed(await askPlacement(first, { subject: placed, note: 'it is hers' }, owner))
  const failed: string[] = []
  for (const subject of [held, placed]) {
    const refundId = await agreed(await askRefund(first, { subject, note: 'paid twice' }, false))
    await calls.beginRefund({ refundId })
    const value = { cause: FailureCause.REFUSED, providerCode: '2001' }
    await calls.recordRefund({ refundId, outcome: { $case: 'refused', value } })
    failed.push(refundId)
  }
  const { text } = await listSuspense(first, 0)
  for (const one of [first, second]) one.close()
  close()
  const lines = text.split('\n').filter((line) => line.includes('refund failed '))
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`^ke +${held} +refund failed +KES 500 .* ${failed[0] ?? ''}$`),
    ),
    expect.stringMatching(
      new RegExp(`^ke +${placed} +refund failed +KES 500 .* ${failed[1] ?? ''}$`),
    ),
  ])
  expect(text).toContain(
    'ke: a refund that failed: ask for it again, or if it is not to go back ask for it and withdraw that\n',
  )
})
