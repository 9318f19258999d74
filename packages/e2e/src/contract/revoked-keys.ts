import { eventually } from '@malipo/testing/eventually'
import type { Account, ContractStack } from './contract-stack'
import { openShop } from './shop'
import { refusal } from './wire'

const unknown = `cs_ke_${'0'.repeat(24)}`
/** "The key can keep working for up to 1 minute", and a second for the request. */
const refusedWithinMs = 61_000

/** A key that was used, and then revoked before everything else is tried. */
export interface RevokedKey {
  readonly account: Account
  readonly revokedAt: number
}

export async function revokeUsedKey(stack: ContractStack): Promise<RevokedKey> {
  const account = await stack.newAccount('ke')
  const used = await openShop(() => stack).retrieve(unknown, { key: account.secretKey })
  expect(refusal(used)).toEqual([404, 2783])
  await account.revokeKey()
  return { account, revokedAt: performance.now() }
}

/** Comes last, because the minute passes while the other tests run. */
export function revokedKeys(given: () => ContractStack, revoked: () => RevokedKey): void {
  test('a revoked key is refused with 401 2781 a minute later at the latest', async () => {
    const { account, revokedAt } = revoked()
    const ask = () => openShop(given).retrieve(unknown, { key: account.secretKey })
    const leftMs = Math.max(0, revokedAt + refusedWithinMs - performance.now())
    const isRefused = async () => (await ask()).status === 401
    await eventually('the revoked key is refused', isRefused, leftMs, 1_000)
    expect(refusal(await ask())).toEqual([401, 2781])
  })
}
