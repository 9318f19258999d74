import { authOfFile } from '../start.harness'

const { auth, database } = authOfFile()

test('returns the public fields of an account', async () => {
  const made = await auth.createAccount('kampala-coffee', { homeCountry: 'ug' })
  await auth.createAccount('another-account')
  await database.pool.query(
    "UPDATE accounts SET profile_image_url = 'https://img.example/a.png' WHERE account_id = $1",
    [made.accountId],
  )
  expect(await auth.rpc.getAccount({ accountId: made.accountId })).toEqual({
    account: {
      ...made,
      homeCountry: 'ug',
      profileImageUrl: 'https://img.example/a.png',
    },
  })
})

test.each(['', 'acc_000000000000000000000000', 'kampala-coffee'])(
  'returns an empty answer, and no error, for the unknown account %p',
  async (accountId) => {
    expect(await auth.rpc.getAccount({ accountId })).toEqual({})
  },
)
