import { screensOfFile } from '../hub-server/screens.harness'

const open = screensOfFile()

test('the link to the CSV file of checkouts says how many it has at most, and how to get the others', async () => {
  const page = await open('/checkouts')
  const link = page.getByRole('link', { name: 'Download CSV' })
  const hint = page.locator(`[id="${String(await link.getAttribute('aria-describedby'))}"]`)
  expect(await hint.innerText()).toBe(
    'The file has the newest 5,000 checkouts at most. Filter by days, and one day by its hours, to get the others. A search finds 500 at most.',
  )
  await page.close()
})

test('a single day can be filtered by its hours, and several days cannot', async () => {
  const page = await open('/checkouts?from=2026-11-02&until=2026-11-02')
  const link = page.getByRole('link', { name: 'Download CSV' })
  await page.getByLabel('Hour').selectOption('09:00 to 10:00')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(/hour=09/)
  expect(await link.getAttribute('href')).toMatch(
    /\.csv\?from=2026-11-02&until=2026-11-02&hour=09$/,
  )
  await page.getByLabel('Until').fill('2026-11-03')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(/until=2026-11-03$/)
  await page.getByText('No checkout matches these filters').waitFor()
  expect(await page.getByLabel('Hour').count()).toBe(0)
  await page.close()
})
