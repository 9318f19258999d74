import { keysOfFile } from '../start.harness'

const { keys } = keysOfFile()

test('lists the keys of an account, newest first, with their times of revocation', async () => {
  const first = await keys.create('acc_lister')
  const second = await keys.create('acc_lister')
  await keys.create('acc_other')
  expect(await keys.list('acc_lister')).toEqual([
    second.key,
    { ...first.key, revokedAt: expect.any(Date) as Date },
  ])
})

test('returns an empty list for an account without keys', async () => {
  expect(await keys.list('acc_none')).toEqual([])
})

test('lists the newest 50 keys of an account with more', async () => {
  let newest = ''
  for (let made = 0; made < 52; made += 1) {
    newest = (await keys.create('acc_many')).key?.keyId ?? ''
  }
  const listed = await keys.list('acc_many')
  expect(listed).toHaveLength(50)
  expect(listed[0]?.keyId).toBe(newest)
})

test('refuses a request without an account', async () => {
  await expect(keys.list('')).rejects.toMatchObject({ reason: 'invalid_request' })
})
