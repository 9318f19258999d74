import { authOfFile } from '../start.harness'

const { auth } = authOfFile()

test("lists the owner's links, newest first, including closed ones", async () => {
  const owner = await auth.signedIn('mama-mboga')
  await (
    await auth.signedIn('another-account')
  ).post('/links', { request_id: '1', handle: 'theirs' })
  await owner.post('/links', {
    request_id: '1',
    handle: 'Greens',
    title: 'Greens',
    amount: '15000',
  })
  await owner.post('/links', { request_id: '2', handle: 'tips' })
  await owner.post('/links/TIPS/close')
  expect((await owner.get('/links')).body.data.links).toEqual([
    {
      handle: 'tips',
      url: 'https://pay.example.ke/p/tips',
      title: null,
      amount: null,
      created_at: expect.any(String),
      closed_at: expect.any(String),
    },
    expect.objectContaining({
      handle: 'Greens',
      title: 'Greens',
      amount: '15000',
      closed_at: null,
    }),
  ])
})
