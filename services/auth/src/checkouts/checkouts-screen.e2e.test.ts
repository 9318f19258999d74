import { screensOfFile } from '../hub-server/screens.harness'

const open = screensOfFile()

test('the link to the CSV file of checkouts says how many it has at most, and how to get the others', async () => {
  const page = await open('/checkouts')
  const link = page.getByRole('link', { name: 'Download CSV' })
  const hint = page.locator(`[id="${String(await link.getAttribute('aria-describedby'))}"]`)
  expect(await hint.innerText()).toBe(
    'The file has the newest 5,000 checkouts at most. Filter by days to get the others.',
  )
  await page.close()
})
