import { randomBytes, randomUUID } from 'node:crypto'
import type { Cell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { placeOf } from '@malipo/stack/cells/place-of'
import { readSecrets } from '@malipo/stack/secrets'
import { openSeeder } from '@malipo/stack/seed'
import type { StackFile } from '@malipo/stack/stack-file'
import type { RunningStack } from './running-stack'

/** Makes as many merchants as a load needs: the interface allows each 120 requests a minute. */
export async function seedMerchants(
  stack: RunningStack,
  country: Country,
  count: number,
): Promise<StackFile['merchants']> {
  const { pinProofPrivateKey } = readSecrets(stack.dir)
  const addressOf = (server: string, cell: Cell) =>
    stack.file.processes[placeOf(server, cell)]?.address ?? ''
  const seeder = openSeeder({ dir: stack.dir, addressOf, pinProofPrivateKey })
  const merchants: StackFile['merchants'] = []
  while (merchants.length < count) {
    const username = `shop-${country}-${String(merchants.length)}`
    const shop = { username, displayName: username, bio: '', theme: 'dark', card: true }
    const owner = { pin: '483920', password: randomBytes(12).toString('hex') }
    merchants.push(await seeder.make({ country, ...shop }, { requestId: randomUUID(), ...owner }))
  }
  seeder.close()
  return merchants
}
