import { screensOfFile } from '../hub-server/screens.harness'

const open = screensOfFile()

test('the statement says how many entries a file has at most, and has the hours of a single day', async () => {
  const page = await open('/wallet')
  const link = page.getByRole('link', { name: 'Download CSV' })
  const hint = page.locator(`[id="${String(await link.getAttribute('aria-describedby'))}"]`)
  expect(await hint.innerText()).toBe(
    'A file has all entries of its days. With more than 10,000 there is no file: take fewer days, or one day by its hours.',
  )
  await page.getByLabel('From').fill('2026-11-01')
  await page.getByLabel('Until').fill('2026-11-02')
  expect(await page.getByLabel('Hour').count()).toBe(0)
  await page.getByLabel('Until').fill('2026-11-01')
  await page.getByLabel('Hour').selectOption('23:00 to 24:00')
  expect(await link.getAttribute('href')).toMatch(/\?from=2026-11-01&until=2026-11-01&hour=23$/)
  await page.getByLabel('Until').fill('2026-11-03')
  expect(await link.getAttribute('href')).toMatch(/\?from=2026-11-01&until=2026-11-03$/)
  await page.close()
})
